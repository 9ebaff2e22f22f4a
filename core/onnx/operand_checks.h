#pragma once

#include "core/graph/tensor.h"
#include "core/onnx/operand_shapes.h"

#include <span>

namespace crosswalk {

/// Throws ModelError "wrong-operands" for operands and attributes that ONNX's inference accepts, although no runtime
/// can run the node. `contents`: the constant inputs, null for the others; Nodes of other domains pass: gaps and
/// custom operators may have the names of operators of ONNX.
void checkOperands(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents, const ShapeOf& shapeOf);

/// Throws ModelError "damaged" for an Einsum whose equation is longer than Budget::equationLength, because the time of
/// onnx's inference is quadratic in the length, or malformed, because that inference may not terminate. To be called
/// before inference.
void expectEquation(const ::onnx::NodeProto& node);

} // namespace crosswalk
