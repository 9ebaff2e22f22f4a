#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <optional>

namespace crosswalk::mxnet {

/// The shape of the weight at one of a node's inputs, from the node's attributes (a Convolution's num_filter and
/// kernel...): unknown dimensions are open; nothing if not even the rank is known.
std::optional<Shape> weightShape(const Node& node, std::size_t input);

/// Whether dimensions match this shape.
bool fits(const Shape& shape, const Ints& dims);

} // namespace crosswalk::mxnet
