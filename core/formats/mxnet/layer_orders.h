#pragma once

#include "core/formats/mxnet/weight_layers.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace crosswalk::mxnet {

/// Indices of the graph's layers, in a possible order of the file.
using LayerOrder = std::vector<std::size_t>;

/// The order of the graph, and the order in which gluon numbered the layers at creation (a graph lists a shortcut
/// before the parallel branch, whichever was created first); for a list without names also both orders with the
/// auxiliary states last.
std::vector<LayerOrder> possibleOrders(const std::vector<GraphLayer>& layers);

/// Whether layers of the file whose names differ only in numbers are sorted by these numbers. An old Python wrote them
/// in arbitrary order.
bool numbersAscend(const std::vector<FileLayer>& layers);

/// The order of two layers as the graph determines it.
class OrderFacts {
public:
    OrderFacts(const Graph& graph, const std::vector<GraphLayer>& layers);

    /// Whether one certainly precedes the other: they are numbered, or one depends on the other.
    bool haveOrder(std::size_t a, std::size_t b) const;

private:
    bool depends(NodeId from, NodeId to) const;

    const Graph& m_graph;
    const std::vector<GraphLayer>& m_layers;
    std::vector<std::string> m_patterns;                     ///< names without their numbers
    mutable std::map<NodeId, std::vector<bool>> m_dependent; ///< by start node: the nodes that depend on it
};

} // namespace crosswalk::mxnet
