#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace crosswalk {

/// Corresponding nodes of two graphs, by node; empty if there is no counterpart.
struct NodeMatch {
    std::vector<NodeId> ofFirst;
    std::vector<NodeId> ofSecond;
};

/// Pairs the nodes of two graphs. Nodes of the same operator are paired by name, then by the name of an output, then as
/// neighbours of nodes that are already paired; the remaining ones by name alone. Linear in the size of the graphs.
NodeMatch matchNodes(const Graph& first, const Graph& second);

} // namespace crosswalk
