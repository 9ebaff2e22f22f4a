#pragma once

#include "core/convert/node_context.h"

/// Functions of one tensor, element by element. x is floating, and the result has its type; where ONNX Runtime supports
/// an operator only in single precision, doubles use other operators.
namespace crosswalk::forms::elementary {

using Unary = OnnxValue (*)(const NodeContext& ctx, OnnxValue x);

OnnxValue exp(const NodeContext& ctx, OnnxValue x);
OnnxValue expMinusOne(const NodeContext& ctx, OnnxValue x); ///< accurate near 0
OnnxValue log(const NodeContext& ctx, OnnxValue x);
OnnxValue log2(const NodeContext& ctx, OnnxValue x);
OnnxValue log10(const NodeContext& ctx, OnnxValue x);
OnnxValue logOnePlus(const NodeContext& ctx, OnnxValue x); ///< accurate near 0
/// log(exp(a) + exp(b)) without overflow; a and b broadcast and may be infinite.
OnnxValue logAddExp(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue sqrt(const NodeContext& ctx, OnnxValue x);
OnnxValue reciprocalSqrt(const NodeContext& ctx, OnnxValue x);
OnnxValue cbrt(const NodeContext& ctx, OnnxValue x);
OnnxValue reciprocalCbrt(const NodeContext& ctx, OnnxValue x);
OnnxValue reciprocal(const NodeContext& ctx, OnnxValue x);
OnnxValue sin(const NodeContext& ctx, OnnxValue x);
OnnxValue cos(const NodeContext& ctx, OnnxValue x);
OnnxValue tan(const NodeContext& ctx, OnnxValue x);
OnnxValue arcsin(const NodeContext& ctx, OnnxValue x);
OnnxValue arccos(const NodeContext& ctx, OnnxValue x);
OnnxValue arctan(const NodeContext& ctx, OnnxValue x);
OnnxValue sinh(const NodeContext& ctx, OnnxValue x);
OnnxValue cosh(const NodeContext& ctx, OnnxValue x);
OnnxValue tanh(const NodeContext& ctx, OnnxValue x);
OnnxValue arcsinh(const NodeContext& ctx, OnnxValue x);
OnnxValue arccosh(const NodeContext& ctx, OnnxValue x);
OnnxValue arctanh(const NodeContext& ctx, OnnxValue x);
OnnxValue degrees(const NodeContext& ctx, OnnxValue x);
OnnxValue radians(const NodeContext& ctx, OnnxValue x);
OnnxValue erf(const NodeContext& ctx, OnnxValue x);
OnnxValue sigmoid(const NodeContext& ctx, OnnxValue x);
OnnxValue softplus(const NodeContext& ctx, OnnxValue x); ///< log(1 + exp(x)) without overflow
OnnxValue softsign(const NodeContext& ctx, OnnxValue x);

OnnxValue floor(const NodeContext& ctx, OnnxValue x);
OnnxValue ceil(const NodeContext& ctx, OnnxValue x);
OnnxValue truncate(const NodeContext& ctx, OnnxValue x);          ///< towards zero
OnnxValue roundAwayFromZero(const NodeContext& ctx, OnnxValue x); ///< the nearest, halves away from zero
OnnxValue roundHalfDown(const NodeContext& ctx, OnnxValue x);     ///< the nearest, halves down

} // namespace crosswalk::forms::elementary
