#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace crosswalk {

/// Which node of one graph is which of the other: by node, none where it has no counterpart.
struct NodeMatch {
    std::vector<NodeId> ofFirst;
    std::vector<NodeId> ofSecond;
};

/// Pairs the nodes of two graphs: of one operator by name, then by the name of an output, then by where they stand
/// between nodes that are paired already, last of one name whatever the operator. Takes time in proportion to the
/// graphs.
NodeMatch matchNodes(const Graph& first, const Graph& second);

} // namespace crosswalk
