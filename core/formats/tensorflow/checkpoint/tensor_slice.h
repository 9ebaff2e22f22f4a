#pragma once

#include "core/graph/tensor_type.h"

#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// A part of a tensor: in each dimension `length` elements from `start`. A length of -1 means the whole dimension.
struct Slice {
    Ints start;
    Ints length;

    friend bool operator==(const Slice&, const Slice&) = default;
};

/// RestoreV2's `shape_and_slices`: "10 24 0,5:-" is the shape of the tensor, then start,length of each dimension.
struct ShapeAndSlice {
    Ints shape;
    Slice slice;
};
/// Nothing if the text is invalid.
std::optional<ShapeAndSlice> parseShapeAndSlice(std::string_view text);

/// "0,5:-", for messages.
std::string toString(const Slice& slice);

/// The key under which a checkpoint stores a part: the tensor's name, the rank, start and length of each dimension, in
/// an encoding that preserves their order.
std::string sliceKey(std::string_view tensor, const Slice& slice);

/// The lengths in a tensor of these dimensions, with whole dimensions resolved. Nothing if the slice is not inside.
std::optional<Ints> sizesOf(const Slice& slice, const Ints& dims);

} // namespace crosswalk::tensorflow
