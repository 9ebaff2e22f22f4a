#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Which graph the outputs are looked for in.
enum class GraphKind : std::uint8_t {
    Frozen, ///< cut down to what inference needs
    Whole,  ///< with initialization, saving, and perhaps training beside inference
};

/// The outputs of a graph without a signature: the values of nodes that nothing reads, in the file's order. Nodes that
/// only training, saving, checking or logging has do not count. In a whole graph an output depends on a variable; of a
/// network of RETURNN it belongs to the layer `output`.
std::vector<ValueId> defaultOutputs(const Graph& graph, GraphKind kind);

/// Placeholders, in the file's order; in a whole graph only those that an output depends on. Nodes that have a default
/// value (PlaceholderWithDefault) are inputs where there is no other.
std::vector<ValueId> defaultInputs(const Graph& graph, GraphKind kind);

} // namespace crosswalk::tensorflow
