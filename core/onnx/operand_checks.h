#pragma once

#include "core/graph/tensor.h"

#include <span>

namespace onnx {
class NodeProto;
}

namespace crosswalk {

/// Throws ModelError "wrong-operands" for operands and attributes that ONNX's inference accepts, although no runtime
/// can run the node. `contents`: the constant inputs, null for the others; `first`: the shape of the first input.
void checkOperands(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents,
                   const std::optional<Shape>& first);

} // namespace crosswalk
