#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <vector>

namespace crosswalk::mxnet {

/// What the attributes of a node say of the weight at one of its inputs (a Convolution's num_filter and kernel...):
/// unknown dimensions open, nothing where not even the rank is known.
std::optional<Shape> weightShape(const Node& node, std::size_t input);

/// Whether dimensions can be of this shape.
bool fits(const Shape& shape, const std::vector<std::int64_t>& dims);

} // namespace crosswalk::mxnet
