#pragma once

#include "ui/document/graph_side.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace crosswalk::ui {

/// A body that a node runs: of a loop, a scan, a branch, or a function of the model that it calls.
struct Subgraph {
    QString name; ///< name of the attribute that contains it, with an index if the attribute contains several
    std::shared_ptr<const Graph> graph;
    SubgraphId id; ///< index among the subgraphs of the node's graph, or of the model if the body is a function
};
/// The bodies of a node. `model` contains the functions; it is `graph` itself or the outermost enclosing graph.
std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node, const Graph& model);
/// The bodies of a box; none if the box is not a node.
std::vector<Subgraph> subgraphsOf(const GraphSide& side, std::uint32_t box, const Graph& model);

/// A step into a body: the node by its unique name (see NodeNames), and the index of the body.
struct BodyStep {
    QString node;
    std::size_t body = 0;

    friend bool operator==(const BodyStep&, const BodyStep&) = default;
};
/// The path from a graph to a nested body.
using BodyPath = std::vector<BodyStep>;

/// A resolved step of a path.
struct BodyLevel {
    QString node;
    NodeId id;
    std::vector<Subgraph> bodies; ///< at least one
    std::size_t shown = 0;

    const Subgraph& body() const { return bodies[shown]; }
};
/// Resolves a path. Empty if the graph has no such path.
std::vector<BodyLevel> levelsAlong(const GraphSide& home, const BodyPath& path);
BodyPath pathOf(const std::vector<BodyLevel>& levels);

/// The location of a body: the side, and the path from that side's graph.
struct BodyPlace {
    Side side = Side::Source;
    GraphPath path;
};
GraphPath graphPathOf(const std::vector<BodyLevel>& levels);
/// The same path in the window's representation. Empty if the graph has no such path.
BodyPath bodyPathOf(const Graph& model, const GraphPath& path);

} // namespace crosswalk::ui
