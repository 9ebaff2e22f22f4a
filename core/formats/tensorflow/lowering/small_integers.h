#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <optional>

namespace crosswalk::tensorflow {

/// The elements of an integer scalar or vector that stored values and known shapes determine, as arithmetic of shapes
/// does; nothing for other values.
std::optional<Ints> integersOf(const Graph& graph, ValueId value);

/// A dimension of a value, of the first of its reversals and transpositions.
struct Dimension {
    ValueId value;
    std::int64_t axis = 0;
    std::optional<std::int64_t> size = {};
};
Dimension dimensionOf(const Graph& graph, ValueId value, std::int64_t axis);

/// The dimension that an integer scalar is; nothing for other values. Its size alone is given for a known number.
std::optional<Dimension> asDimension(const Graph& graph, ValueId value);

/// Whether they are the same dimension or of the same known size.
bool isSame(const Dimension& a, const Dimension& b);

} // namespace crosswalk::tensorflow
