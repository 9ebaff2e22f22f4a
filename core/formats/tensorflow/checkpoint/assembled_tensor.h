#pragma once

#include "core/formats/tensorflow/checkpoint/tensor_slice.h"
#include "core/graph/tensor.h"

namespace crosswalk::tensorflow {

/// The tensor that the parts make up, read from them when it is read. Throws ModelError "damaged" where they overlap,
/// leave a hole, lie outside, or differ from their slices in size.
struct TensorPart {
    Slice slice;
    Tensor tensor;
};
Tensor assembled(ElementType type, const std::vector<std::int64_t>& dims, std::vector<TensorPart> parts);

/// A part of a tensor, which must be inside; read from the whole when it is read.
Tensor partOf(const Tensor& whole, const Slice& slice);

} // namespace crosswalk::tensorflow
