#pragma once

#include "core/convert/node_context.h"

#include <cstdint>

/// Diagonals by their offset: 0 is the main one, positive ones are above it.
namespace crosswalk::forms {

/// The start and the length of the diagonal in a matrix of these sizes.
struct Diagonal {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::int64_t length = 0;
};

Diagonal diagonalOf(std::int64_t rows, std::int64_t columns, std::int64_t offset);

/// The elements of the last axis of x at `places`, in their order; with `withZero` the place behind the last element is
/// a zero.
OnnxValue gatheredFromLast(const NodeContext& ctx, OnnxValue x, const Ints& places, bool withZero);
/// The diagonal of two axes of x, on a new last axis; empty where the offset lies outside.
OnnxValue diagonalAlong(const NodeContext& ctx, OnnxValue x, std::int64_t first, std::int64_t second,
                        std::int64_t offset);
/// The size of a square matrix whose diagonal at the offset has this length; throws if the offset is too large.
std::int64_t sizeAround(const NodeContext& ctx, std::int64_t length, std::int64_t offset);
/// Matrices with the last axis of x on a diagonal, zeros elsewhere.
OnnxValue matrixOfVector(const NodeContext& ctx, OnnxValue x, std::int64_t offset);

} // namespace crosswalk::forms
