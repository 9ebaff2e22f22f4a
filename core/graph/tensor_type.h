#pragma once

#include "core/graph/element_type.h"

#include <cstdint>
#include <optional>

namespace crosswalk {

/// Axes, sizes or other integers of an operator.
using Ints = BoundsChecked<std::int64_t>;

bool isFixed(const Shape& shape); ///< all of its dimensions
/// Product of the dimensions, or nothing where one is not fixed or the product does not fit 63 bits.
std::optional<std::int64_t> elementCount(const Shape& shape);
Shape shapeOf(const Ints& dims);

} // namespace crosswalk
