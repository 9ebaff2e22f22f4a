#pragma once

#include "core/convert/node_context.h"

#include <cstdint>

/// Inserts or deletes slices along an axis (not negative). Indices count from the front and are within the axis;
/// computed ones are an int64 vector.
namespace crosswalk::forms {

/// x without the slices at `indices`, in any order and as often as they come.
OnnxValue deletedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, Ints indices);
OnnxValue deletedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue indices);

/// All of x and of `values`, each slice of the values before the slice of x at its index; the size of the axis is an
/// index too. Slices of one index keep their order. `values` has x's type and its dimensions elsewhere.
OnnxValue insertedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue values, const Ints& indices);
OnnxValue insertedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue values, OnnxValue indices);

} // namespace crosswalk::forms
