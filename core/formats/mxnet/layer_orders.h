#pragma once

#include "core/formats/mxnet/weight_layers.h"
#include "core/graph/graph.h"

#include <map>
#include <string>
#include <vector>

namespace crosswalk::mxnet {

/// Places of the graph's layers, in the order that a file may have them in.
using LayerOrder = std::vector<std::size_t>;

/// That of the graph, and that in which gluon numbered the layers as they were made (a graph lists a shortcut before
/// the branch beside it, whichever was made first); for a list without names also either with the auxiliary states
/// after all else.
std::vector<LayerOrder> possibleOrders(const std::vector<GraphLayer>& layers);

/// Whether layers of the file whose names differ in numbers only stand in the order of the numbers. An old Python wrote
/// them in none.
bool numbersAscend(const std::vector<FileLayer>& layers);

/// What the graph itself says of the order of two layers.
class OrderFacts {
public:
    OrderFacts(const Graph& graph, const std::vector<GraphLayer>& layers);

    /// Whether it is a fact that one came before the other: they are numbered, or one depends on the other.
    bool haveOrder(std::size_t a, std::size_t b) const;

private:
    bool depends(NodeId from, NodeId to) const;

    const Graph& m_graph;
    const std::vector<GraphLayer>& m_layers;
    std::vector<std::string> m_patterns;                     ///< names without their numbers
    mutable std::map<NodeId, std::vector<bool>> m_dependent; ///< by the node where it starts: which nodes depend on it
};

} // namespace crosswalk::mxnet
