#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// By node: whether one of `starts` depends on it, by value or by order; they themselves too.
std::vector<bool> neededNodes(const Graph& graph, std::span<const NodeId> starts);
/// By node: whether one of Graph::outputs depends on it.
std::vector<bool> neededNodes(const Graph& graph);

} // namespace crosswalk::tensorflow
