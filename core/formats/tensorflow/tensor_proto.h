#pragma once

#include "core/base/source_file.h"
#include "core/formats/tensorflow/attr_value.h"
#include "core/graph/tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace crosswalk::tensorflow {

/// The tensor of a TensorProto. `tensor_content` stays in the file; typed lists are decoded, and a list that is shorter
/// than the tensor is extended by its last value (by zeros if it is empty), which takes memory only for strings. Throws
/// ModelError "damaged" for inconsistent sizes, "unsupported-type" for resources, variants and types below 8 bits.
Tensor readTensor(const std::shared_ptr<const SourceFile>& file, const TensorProto& proto);

/// The type alone.
DataType tensorType(std::span<const std::byte> file, const TensorProto& proto);

/// Number of elements. Throws ModelError "damaged" for a shape without rank, a negative or unknown dimension, and if
/// the size in bytes does not fit 63 bits.
std::uint64_t elementCount(ElementType type, const ShapeProto& shape);

} // namespace crosswalk::tensorflow
