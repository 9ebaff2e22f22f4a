#pragma once

#include "core/convert/node_context.h"

#include <optional>

/// Integers that are operands: axes, sizes, indices.
namespace crosswalk::forms {

/// The elements of x in order, if known at conversion: stored, or a computed shape whose dimensions are fixed.
std::optional<Ints> knownInts(const NodeContext& ctx, OnnxValue x);

OnnxValue asInt64(const NodeContext& ctx, OnnxValue x);
/// An integer tensor of rank 0 or 1 as an int64 vector.
OnnxValue intVector(const NodeContext& ctx, OnnxValue x);
/// An int64 vector of one element as a scalar.
OnnxValue scalarOf(const NodeContext& ctx, OnnxValue vector);

} // namespace crosswalk::forms
