#pragma once

#include "core/formats/mxnet/weight_layers.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
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

/// A layer of the graph, with the name of the layer of the file that it is to have.
struct NamedLayer {
    std::size_t index;
    std::string_view fileName;
};

/// Which of two layers the file lists first, as far as the graph and the names determine it. The file has the order in
/// which gluon's layers were registered, the graph that in which they are used.
class OrderFacts {
public:
    OrderFacts(const Graph& graph, const std::vector<GraphLayer>& layers);

    /// Whether the arrays of these layers cannot be exchanged: one node reads them, the layers are numbered, they
    /// follow one another in a sequence, or words in their names agree.
    bool areDistinct(const NamedLayer& a, const NamedLayer& b) const;

private:
    bool inSequence(const NamedLayer& a, const NamedLayer& b) const;
    bool depends(NodeId from, NodeId to) const;

    const Graph& m_graph;
    const std::vector<GraphLayer>& m_layers;
    std::vector<std::string> m_patterns;                     ///< names without their numbers
    mutable std::map<NodeId, std::vector<bool>> m_dependent; ///< by start node: the nodes that depend on it
};

} // namespace crosswalk::mxnet
