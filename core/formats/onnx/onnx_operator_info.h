#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk {

/// ONNX's operators, and those of com.microsoft that exporters write.
const OperatorInfo& onnxOperatorInfo();

} // namespace crosswalk
