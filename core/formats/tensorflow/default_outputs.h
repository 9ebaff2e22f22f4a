#pragma once

#include "core/graph/graph.h"

#include <cstdint>

namespace crosswalk::tensorflow {

/// The kind of graph in which outputs are searched.
enum class GraphKind : std::uint8_t {
    Frozen, ///< pruned for inference
    Whole,  ///< with initialization, saving, and possibly training in addition to inference
};

/// The outputs of a graph without a signature: the values of nodes that nothing reads, in the file's order. Nodes that
/// serve only training, saving, checking or logging do not count. In a whole graph an output depends on a variable; in
/// a RETURNN network it belongs to the layer `output`.
ValueIds defaultOutputs(const Graph& graph, GraphKind kind);

/// Placeholders, in the file's order; in a whole graph only those that an output depends on. Nodes that have a default
/// value (PlaceholderWithDefault) are inputs only if there are no others.
ValueIds defaultInputs(const Graph& graph, GraphKind kind);

} // namespace crosswalk::tensorflow
