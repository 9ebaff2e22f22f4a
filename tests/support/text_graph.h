#pragma once

#include "core/convert/conversion.h"
#include "core/graph/graph.h"

#include <string>
#include <string_view>

namespace crosswalk::test {

/// A graph of MXNet from lines of text:
///
///     x = input 2xNx3            a shape is optional; "input int32 4" has another type than float32
///     w = weight 4x3             float32, elements 0, 1, 2... divided by their count
///     y = Activation(x) act_type=relu
///     a, b = SliceChannel(y) num_outputs=2 axis=1
///     output y                   repeated lines: several outputs, in order
///
/// Node names are the first result's; attributes are text up to the next blank, tuples without blanks.
Graph textGraph(std::string_view text, bool numpyShapes = false);

/// The nodes of a model, one a line: "y = Relu(x)" with attributes sorted by name, constants as their values where
/// short.
std::string dump(const OnnxModel& model);

} // namespace crosswalk::test
