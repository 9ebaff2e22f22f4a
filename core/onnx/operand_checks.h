#pragma once

#include "core/graph/tensor.h"

#include <cstddef>
#include <functional>
#include <span>

namespace onnx {
class NodeProto;
}

namespace crosswalk {

/// Throws ModelError "wrong-operands" for operands and attributes that ONNX's inference accepts, although no runtime
/// can run the node. `contents`: the constant inputs, null for the others; `shapeOf` returns the shape of an input,
/// null if it is absent or unknown. Nodes of other domains pass: gaps and custom operators may have the names of
/// operators of ONNX.
void checkOperands(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents,
                   const std::function<const Shape*(std::size_t operand)>& shapeOf);

/// Throws ModelError "damaged" for an Einsum whose equation is longer than Budget::equationLength, because the time of
/// onnx's inference is quadratic in the length, or malformed, because that inference may not terminate. To be called
/// before inference.
void expectEquation(const ::onnx::NodeProto& node);

} // namespace crosswalk
