#pragma once

#include "core/convert/emit.h"

namespace crosswalk::pytorch {

/// Tensors of integers that index the first axes of a tensor together, broadcast to one shape.
struct IndexTuples {
    OnnxValue places;      ///< (shape..., number of tensors), int64: the indices of GatherND and ScatterND
    OnnxValue shape;       ///< the common shape, an int64 vector
    std::int64_t rank = 0; ///< of the common shape
};
/// `indices` has at least one tensor.
IndexTuples indexTuples(const NodeContext& ctx, const OnnxValues& indices);

/// x cut to the sizes of an index, which may be smaller, in all axes but `whole` (-1: none).
OnnxValue cutTo(const NodeContext& ctx, OnnxValue x, OnnxValue index, std::int64_t whole = -1);

} // namespace crosswalk::pytorch
