#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// By node: whether one of `starts` depends on it, by value or by order, or is the node itself.
std::vector<bool> neededNodes(const Graph& graph, std::span<const NodeId> starts);
/// By node: whether one of Graph::outputs depends on it.
std::vector<bool> neededNodes(const Graph& graph);

} // namespace crosswalk::tensorflow
