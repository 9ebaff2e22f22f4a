#pragma once

#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <optional>
#include <span>

namespace crosswalk {

/// Folds a node with constant inputs (null for an omitted input). Only nodes that move elements or do plain arithmetic
/// on floating-point numbers are folded, and only if the result is small; otherwise returns nothing. The result is
/// bit-identical to what the node would compute. `result` is the node's inferred output type.
std::optional<Tensor> folded(const ::onnx::NodeProto& node, std::span<const Tensor* const> inputs,
                             const TensorType& result);

} // namespace crosswalk
