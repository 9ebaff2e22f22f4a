#pragma once

#include "core/convert/node_context.h"

/// Functions of two integer (or bool) tensors that broadcast, both of one element type, which is the result's.
namespace crosswalk::forms::arithmetic {

OnnxValue bitwiseAnd(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue bitwiseOr(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue bitwiseXor(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue bitwiseNot(const NodeContext& ctx, OnnxValue x);
/// The bits of a moved b times, to the left or, with the sign, to the right. A count that is negative or at least the
/// number of bits results in 0, or to the right in the sign, which unsigned numbers do not have.
OnnxValue shifted(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool isLeft);
OnnxValue greatestCommonDivisor(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue leastCommonMultiple(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// a multiplied b times; b is not negative. The products wrap.
OnnxValue integerPower(const NodeContext& ctx, OnnxValue a, OnnxValue b);

/// Integers as int64 of the same order, and back to any type: where ONNX Runtime sorts or compares no uint64.
OnnxValue orderedInt64(const NodeContext& ctx, OnnxValue x);
/// x in a type that ONNX Runtime sorts; fromOrderedInt64() leads back.
OnnxValue sortable(const NodeContext& ctx, OnnxValue x);
OnnxValue fromOrderedInt64(const NodeContext& ctx, OnnxValue x, ElementType type);

} // namespace crosswalk::forms::arithmetic
