#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// The edges along which a node depends on others.
enum class Edges : std::uint8_t {
    All,    ///< values, those that bodies take from outside included, and the order of control edges
    Values, ///< values only
};

/// By node: whether one of `ends` depends on it, or is the node itself. Invalid ends are skipped. Values for which
/// `isGiven` returns true do not need their producers.
std::vector<bool> neededNodes(const Graph& graph, std::span<const NodeId> ends, Edges edges = Edges::All,
                              const std::function<bool(ValueId)>& isGiven = {});
/// By node: whether one of Graph::outputs depends on it.
std::vector<bool> neededNodes(const Graph& graph);

/// The nodes that no output of the graph depends on, by their outermost name scope. A node without a scope is listed
/// under its name. Empty for a graph without outputs, such as that of a file of weights.
std::map<std::string, std::vector<NodeId>> unneededScopes(const Graph& graph);

} // namespace crosswalk
