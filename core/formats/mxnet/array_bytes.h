#pragma once

#include "core/graph/element_type.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::mxnet {

/// Bytes of an array with dimensions read from a file. Nothing where a dimension is negative, or where they are too
/// large to be multiplied: with dimensions of 0 too, because the others of such an array are multiplied elsewhere.
std::optional<std::uint64_t> arrayBytes(ElementType type, const std::vector<std::int64_t>& dims);

} // namespace crosswalk::mxnet
