#pragma once

#include "core/convert/node_context.h"

/// Functions of two integer (or bool) tensors that broadcast, both of one element type, which is the result's.
namespace crosswalk::forms::arithmetic {

OnnxValue bitwiseAnd(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue bitwiseOr(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue bitwiseXor(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue bitwiseNot(const NodeContext& ctx, OnnxValue x);
OnnxValue greatestCommonDivisor(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue leastCommonMultiple(const NodeContext& ctx, OnnxValue a, OnnxValue b);

} // namespace crosswalk::forms::arithmetic
