#pragma once

#include "core/convert/node_context.h"

/// Quotients and remainders of two tensors that broadcast, both of one element type, which is the result's. Those of
/// integers are exact up to the limits of the type, and undefined for a zero divisor.
namespace crosswalk::forms::arithmetic {

/// The quotient of integers, rounded down.
OnnxValue floorQuotient(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// The remainder with the sign of the divisor; NaN for a floating-point zero.
OnnxValue floorRemainder(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// The remainder with the sign of the dividend.
OnnxValue truncatedRemainder(const NodeContext& ctx, OnnxValue a, OnnxValue b);

} // namespace crosswalk::forms::arithmetic
