#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// The diagonal of two axes of x, on a new last axis; empty where the offset lies outside.
OnnxValue diagonalAlong(const NodeContext& ctx, OnnxValue x, std::int64_t first, std::int64_t second,
                        std::int64_t offset);
/// Matrices with the last axis of x on a diagonal, zeros elsewhere.
OnnxValue matrixOfVector(const NodeContext& ctx, OnnxValue x, std::int64_t offset);

} // namespace crosswalk::mxnet
