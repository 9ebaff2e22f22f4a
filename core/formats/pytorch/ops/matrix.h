#pragma once

#include "core/convert/emit.h"

namespace crosswalk::pytorch {

/// Whether a tensor is known to have no elements.
bool isEmpty(const NodeContext& ctx, OnnxValue x);
/// The product without MatMul, for operands without elements, which ONNX Runtime does not multiply.
OnnxValue productOfEmpty(const NodeContext& ctx, OnnxValue a, OnnxValue b);

/// A product as NumPy's matmul; products and sums of integers wrap.
OnnxValue matrixProduct(const NodeContext& ctx, OnnxValue a, OnnxValue b);

} // namespace crosswalk::pytorch
