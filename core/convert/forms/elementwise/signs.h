#pragma once

#include "core/convert/node_context.h"

/// Functions of two floating tensors that tell negative zero from zero.
namespace crosswalk::forms::arithmetic {

/// Whether x is negative or negative zero, bool.
OnnxValue hasSign(const NodeContext& ctx, OnnxValue x);
/// The angle of the point (x, y) in radians, in the type of y.
OnnxValue angle(const NodeContext& ctx, OnnxValue y, OnnxValue x);

} // namespace crosswalk::forms::arithmetic
