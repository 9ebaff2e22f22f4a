#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"

#include <optional>
#include <vector>

namespace crosswalk::mxnet {

/// What the attributes of a node say of the weight at one of its inputs (a Convolution's num_filter and kernel...):
/// unknown dimensions open, nothing where not even the rank is known.
std::optional<Shape> weightShape(const Node& node, std::size_t input);

/// Whether dimensions can be of this shape.
bool fits(const Shape& shape, const std::vector<std::int64_t>& dims);

/// Looks for stored weights that the attributes of their node contradict, or that contradict one another (a bias longer
/// than its weight has rows): an Error "wrong-weight-shape" for each, naming both.
void checkWeightShapes(const Graph& graph, std::vector<Diagnostic>& problems);

} // namespace crosswalk::mxnet
