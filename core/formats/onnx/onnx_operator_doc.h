#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk {

/// From the schema that the model's opset selects.
OperatorDoc onnxOperatorDoc(const Graph& graph, const Node& node);

} // namespace crosswalk
