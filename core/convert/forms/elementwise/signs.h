#pragma once

#include "core/convert/node_context.h"

/// The sign of numbers, and functions of two floating tensors that tell negative zero from zero.
namespace crosswalk::forms::arithmetic {

/// -1, 0 or 1, in the type of x; NaN for NaN.
OnnxValue sign(const NodeContext& ctx, OnnxValue x);
/// The same, but 0 for NaN.
OnnxValue signOrZero(const NodeContext& ctx, OnnxValue x);
/// Whether x is negative or negative zero, bool.
OnnxValue hasSign(const NodeContext& ctx, OnnxValue x);
/// The angle of the point (x, y) in radians, in the type of y.
OnnxValue angle(const NodeContext& ctx, OnnxValue y, OnnxValue x);

} // namespace crosswalk::forms::arithmetic
