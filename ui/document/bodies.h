#pragma once

#include "ui/document/graph_side.h"

#include <QString>

namespace crosswalk::ui {

/// A body that a node runs: of a loop, a scan, a branch, or a function of the model that it calls.
struct Subgraph {
    QString name; ///< of the attribute that holds it, with its number where that holds several
    std::shared_ptr<const Graph> graph;
    SubgraphId id; ///< among the subgraphs of the node's graph, or of the model where the body is a function
};
/// `model` has the functions; it is `graph` itself, or the graph around it.
std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node, const Graph& model);
/// Those of a box; none for anything but a node.
std::vector<Subgraph> subgraphsOf(const GraphSide& side, std::uint32_t box, const Graph& model);

/// A step inwards: a node as it is written (see NodeNames), and which of its bodies.
struct BodyStep {
    QString node;
    std::size_t body = 0;

    friend bool operator==(const BodyStep&, const BodyStep&) = default;
};
/// The way from a graph to a body somewhere within.
using BodyPath = std::vector<BodyStep>;

/// A step that was taken.
struct BodyLevel {
    QString node;
    NodeId id;
    std::vector<Subgraph> bodies; ///< there is at least one
    std::size_t shown = 0;

    const Subgraph& body() const { return bodies[shown]; }
};
/// What a path leads through. Empty where the graph has no such way.
std::vector<BodyLevel> levelsAlong(const GraphSide& home, const BodyPath& path);
BodyPath pathOf(const std::vector<BodyLevel>& levels);

/// Where a body is: on which side, and the way to it from that side's graph.
struct BodyPlace {
    Side side = Side::Source;
    GraphPath path;
};
GraphPath graphPathOf(const std::vector<BodyLevel>& levels);
/// The same way as the window writes it. Empty where the graph has no such way.
BodyPath bodyPathOf(const Graph& model, const GraphPath& path);

} // namespace crosswalk::ui
