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
/// a multiplied b times; b is not negative. The products wrap.
OnnxValue integerPower(const NodeContext& ctx, OnnxValue a, OnnxValue b);

/// Integers as int64 of the same order, and back to any type: where ONNX Runtime sorts or compares no uint64.
OnnxValue orderedInt64(const NodeContext& ctx, OnnxValue x);
/// x in a type that ONNX Runtime sorts; fromOrderedInt64() leads back.
OnnxValue sortable(const NodeContext& ctx, OnnxValue x);
OnnxValue fromOrderedInt64(const NodeContext& ctx, OnnxValue x, ElementType type);

} // namespace crosswalk::forms::arithmetic
