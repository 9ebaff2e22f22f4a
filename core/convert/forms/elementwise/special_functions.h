#pragma once

#include "core/convert/node_context.h"

/// Functions without an ONNX operator, or without one in double precision in ONNX Runtime, for every numeric type; the
/// result has the type of x.
namespace crosswalk::forms::special {

OnnxValue gamma(const NodeContext& ctx, OnnxValue x);
OnnxValue logGamma(const NodeContext& ctx, OnnxValue x);         ///< of gamma's magnitude
OnnxValue error(const NodeContext& ctx, OnnxValue x);            ///< erf
OnnxValue scaledComplement(const NodeContext& ctx, OnnxValue x); ///< exp(x^2) (1 - erf(x))
OnnxValue inverseError(const NodeContext& ctx, OnnxValue x);
/// The modified Bessel function of the first kind of order 0 or 1; scaled: times exp(-|x|).
OnnxValue bessel(const NodeContext& ctx, OnnxValue x, int order, bool isScaled);

/// The derivative of logGamma: NaN at the negative integers, infinite at 0 with the opposite sign of the zero.
OnnxValue digamma(const NodeContext& ctx, OnnxValue x);
/// Derivative `order` of digamma, from 1 to 30. It is infinite at 0 and below at the integers.
OnnxValue polygamma(const NodeContext& ctx, OnnxValue x, int order);

} // namespace crosswalk::forms::special
