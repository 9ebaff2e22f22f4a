#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <optional>

namespace crosswalk::mxnet {

/// The size in bytes of an array with dimensions read from a file. Nothing if a dimension is negative or the product
/// overflows, even with dimensions of 0: other code multiplies the remaining dimensions of such an array.
std::optional<std::uint64_t> arrayBytes(ElementType type, const Ints& dims);

} // namespace crosswalk::mxnet
