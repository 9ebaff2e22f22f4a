#pragma once

#include "core/convert/conversion.h"
#include "core/graph/graph.h"

#include <string>
#include <string_view>

namespace crosswalk::test {

/// Parses an MXNet graph from lines of text:
///
///     x = input 2xNx3            the shape is optional; "input int32 4" has a type other than float32
///     w = weight 4x3             float32, elements 0, 1, 2... divided by their count
///     y = Activation(x) act_type=relu
///     a, b = SliceChannel(y) num_outputs=2 axis=1
///     output y                   repeated lines: several outputs, in order
///
/// A node has the name of its first result. An attribute is text up to the next space, so tuples contain no spaces.
Graph textGraph(std::string_view text, bool numpyShapes = false);

/// The nodes of a model, one per line: "y = Relu(x)" with attributes sorted by name, and short constants as their
/// values.
std::string dump(const OnnxModel& model);

} // namespace crosswalk::test
