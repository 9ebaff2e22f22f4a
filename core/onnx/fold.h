#pragma once

#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <optional>
#include <span>

namespace crosswalk {

/// What a node gives for constant inputs (null where an input is left out), if it is one of those that only move
/// elements or do plain arithmetic on a few, and the result is small: else nothing, and the node stays. Bit for bit
/// what the node would compute. `result` is its inferred type.
std::optional<Tensor> folded(const ::onnx::NodeProto& node, std::span<const Tensor* const> inputs,
                             const TensorType& result);

} // namespace crosswalk
