#pragma once

#include "core/rewrite/graph_edit.h"

#include <optional>
#include <vector>

namespace crosswalk {

/// The outputs of a node that are known without running the model, beyond those that the builder folds (see folded):
/// shapes of values with fixed dimensions, Range, Split, Gather, casts, integer arithmetic, and functions of one
/// operand that are rounded correctly. Nothing if they are not known, are large, or if an operation would overflow.
std::optional<std::vector<Tensor>> constantResults(const GraphEdit& edit, const ::onnx::NodeProto& node);

} // namespace crosswalk
