#pragma once

#include "core/graph/graph.h"

#include <cstddef>

namespace crosswalk::pytorch {

/// Adds the calls by which writes to views become functional: nodes of a graph, with a node of the source as origin.
class ViewCalls {
public:
    /// `path`: to the graph in the source.
    ViewCalls(Graph& graph, const GraphPath& path)
        : m_graph(graph)
        , m_path(path)
    {
    }

    /// The same view of new elements of its base; it has the type of `value`.
    ValueId view(ValueId base, NodeId view, std::size_t output, ValueId value, NodeId origin);
    /// A copy of a value, under another name.
    ValueId alias(ValueId value, NodeId origin);
    /// The base with the elements of a view replaced; nothing if no operator expresses that.
    ValueId withPart(ValueId base, NodeId viewNode, std::size_t output, ValueId part, NodeId origin);

private:
    Graph& m_graph;
    const GraphPath& m_path;
};

} // namespace crosswalk::pytorch
