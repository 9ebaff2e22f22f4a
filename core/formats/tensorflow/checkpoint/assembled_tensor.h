#pragma once

#include "core/formats/tensorflow/checkpoint/tensor_slice.h"
#include "core/graph/tensor.h"

#include <cstddef>
#include <vector>

namespace crosswalk::tensorflow {

/// The check of parts compares all pairs. TensorFlow writes one part per server, at most some dozens.
constexpr std::size_t mostParts = 1U << 13U;

/// The tensor that the parts form, read from them on demand. Throws ModelError "damaged" if they overlap, leave a gap,
/// exceed the tensor, or differ from their slices in size.
struct TensorPart {
    Slice slice;
    Tensor tensor;
};
Tensor assembled(ElementType type, const Ints& dims, std::vector<TensorPart> parts);

/// A slice of a tensor, which must be inside it; read from the whole on demand.
Tensor partOf(const Tensor& whole, const Slice& slice);

} // namespace crosswalk::tensorflow
