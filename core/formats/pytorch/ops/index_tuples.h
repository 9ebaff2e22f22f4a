#pragma once

#include "core/convert/emit.h"

#include <cstdint>

namespace crosswalk::pytorch {

/// Tensors of integers that index the first axes of a tensor together, broadcast to one shape.
struct IndexTuples {
    OnnxValue places;      ///< (shape..., number of tensors), int64: the indices of GatherND and ScatterND
    OnnxValue shape;       ///< the common shape, an int64 vector
    std::int64_t rank = 0; ///< of the common shape
};
/// `indices` has at least one tensor.
IndexTuples indexTuples(const NodeContext& ctx, const OnnxValues& indices);

/// The axes of a tensor that an index list selects from, and their indices. A mask is an index of each of its axes.
struct IndexedAxes {
    Ints axes; ///< ascending
    OnnxValues indices;
    Ints order; ///< all axes of the tensor, the indexed ones first
    bool areAdjacent = true;

    /// The axes of what is selected, of indices of a rank, as they are in the order of `order`.
    Ints resultOrder(std::int64_t rank) const;
};
IndexedAxes indexedAxes(const NodeContext& ctx, OnnxValue x, const OnnxValues& given);
bool isMask(const NodeContext& ctx, OnnxValue index);

/// x cut to the sizes of an index, which may be smaller, in all axes but `whole` (-1: none).
OnnxValue cutTo(const NodeContext& ctx, OnnxValue x, OnnxValue index, std::int64_t whole = -1);

} // namespace crosswalk::pytorch
