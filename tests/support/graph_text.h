#pragma once

#include "core/graph/graph.h"

#include <string>

namespace crosswalk::test {

/// A graph as text, a node a line in the order of the graph:
///
///     input x
///     loop:0 = While(start, x) condition_captures=0
///       body:
///         input i
///         ...
///         output add:0
///     output loop:0
///
/// Stored values appear as their elements, floating-point ones with a point: 3, 1., [1., 2.]. The second value
/// of a name is name#2. Attributes are sorted by name; element types and shapes are left out.
std::string graphText(const Graph& graph);

} // namespace crosswalk::test
