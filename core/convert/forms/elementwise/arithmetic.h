#pragma once

#include "core/convert/node_context.h"

/// Arithmetic of two tensors that broadcast, both of one element type, which is the result's. Integers wrap and divide
/// towards zero. Every type and opset works: where ONNX or ONNX Runtime lacks a type, the operator runs in one that
/// holds its values.
namespace crosswalk::forms::arithmetic {

using Binary = OnnxValue (*)(const NodeContext& ctx, OnnxValue a, OnnxValue b);

OnnxValue add(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue subtract(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue multiply(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue divide(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// The remainder has the sign of the divisor; division by zero returns zero.
OnnxValue modulo(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// Integers are raised in float32, and the result is truncated.
OnnxValue power(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// sqrt(a^2 + b^2). The squares neither overflow nor vanish; for integers the root is truncated.
OnnxValue hypotenuse(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue maximum(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue minimum(const NodeContext& ctx, OnnxValue a, OnnxValue b);

/// Comparisons and logic: the result is bool. A nonzero number is true.
OnnxValue equal(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue notEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue greater(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue greaterOrEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue less(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue lessOrEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue logicalAnd(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue logicalOr(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue logicalXor(const NodeContext& ctx, OnnxValue a, OnnxValue b);

} // namespace crosswalk::forms::arithmetic
