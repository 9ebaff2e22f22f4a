#pragma once

#include "ui/document/graph_side.h"

#include <QString>

namespace crosswalk::ui {

/// A body that a node runs: of a loop, a scan, a branch.
struct Subgraph {
    QString name; ///< of the attribute that holds it, with its number where that holds several
    std::shared_ptr<const Graph> graph;
};
std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node);
/// Those of a box; none for anything but a node.
std::vector<Subgraph> subgraphsOf(const GraphSide& side, std::uint32_t box);

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
    std::vector<Subgraph> bodies; ///< there is at least one
    std::size_t shown = 0;

    const Subgraph& body() const { return bodies[shown]; }
};
/// What a path leads through. Empty where the graph has no such way.
std::vector<BodyLevel> levelsAlong(const GraphSide& home, const BodyPath& path);
BodyPath pathOf(const std::vector<BodyLevel>& levels);

} // namespace crosswalk::ui
