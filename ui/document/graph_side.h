#pragma once

#include "core/convert/conversion.h"
#include "ui/canvas/drawn_scene.h"
#include "ui/document/graph_counts.h"
#include "ui/models/outline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk::ui {

/// Left or right in the window.
enum class Side : std::uint8_t { Source, Target };

constexpr Side opposite(Side side)
{
    return side == Side::Source ? Side::Target : Side::Source;
}

/// One of the two graphs with the data that the window needs. Built in the background, shared, immutable.
class GraphSide {
public:
    /// Shares with `previous` (may be null) what depends only on what both have in common.
    GraphSide(std::shared_ptr<const Graph> shared, std::shared_ptr<const Scene> boxes,
              std::shared_ptr<const SceneGroups> foldable, const KnownTypes& types, const GraphSide* previous);
    GraphSide(const GraphSide&) = delete;
    GraphSide& operator=(const GraphSide&) = delete;

private:
    /// What depends only on the nodes of the graph.
    struct NodeTables {
        explicit NodeTables(std::shared_ptr<const Graph> of);
        const std::shared_ptr<const Graph> graph; ///< names refers to it
        const NodeNames names;
        const Consumers consumers;
    };
    const std::shared_ptr<const NodeTables> m_tables;

public:
    const std::shared_ptr<const Graph> graph;
    const std::shared_ptr<const Scene>
        scene; ///< all boxes, whether groups are closed or not; laid out only if there are no groups
    const std::shared_ptr<const SceneGroups> groups;
    const NodeNames& names;
    const Consumers& consumers;
    const Outline outline;
    const std::vector<bool> isStoredAlone; ///< by value: stored, or computed only from stored values
    const GraphCounts counts;

    /// The box of a node; nothing for a node that is folded into another.
    std::optional<std::uint32_t> boxOf(NodeId node) const;
    /// The box of a graph input or output. For an input that is a node's output, the box of that node.
    std::optional<std::uint32_t> boxOf(ValueId value) const;
    /// The graph input that a box represents, as its own box or as a node; invalid for any other box.
    ValueId inputOf(std::uint32_t index) const;
    const SceneNode& box(std::uint32_t index) const { return scene->nodes[index]; }
    /// The name of the box in lists and messages.
    std::string label(std::uint32_t index) const;

private:
    std::unordered_map<std::uint32_t, std::uint32_t> m_boxOfValue;
};

/// The drawing of a side: the open groups and the resulting scene. Immutable.
struct SideDrawing {
    OpenGroups open;
    std::shared_ptr<const DrawnScene> drawn;
    Flow flow() const { return drawn->flow(); }

    /// The side with these groups open. Reuses layouts from `previous` (may be null). Null if stopped.
    static std::shared_ptr<const SideDrawing> make(const GraphSide& side, OpenGroups open, const SideDrawing* previous,
                                                   std::stop_token stop, Flow flow = Flow::Down);
};

/// A side and its drawing.
struct DrawnSide {
    std::shared_ptr<const GraphSide> side;
    std::shared_ptr<const SideDrawing> drawing;
    /// By box of the previous side: the same box here. Null if all indices are unchanged.
    std::shared_ptr<const std::vector<std::uint32_t>> sameNow = nullptr;

    explicit operator bool() const { return side && drawing; }
    /// Empty if stopped. Takes the open groups and the layout of unchanged parts from `previous` (may be empty), so
    /// that they do not move. `flow` and `room` apply if there is no previous drawing: of a graph with many boxes,
    /// groups are closed until the drawing fits into `room`, in scene coordinates; an empty one has no limit.
    static DrawnSide make(std::shared_ptr<const Graph> graph, const KnownTypes& types, const DrawnSide& previous,
                          std::stop_token stop, Flow flow = Flow::Down, QSizeF room = {});
};

} // namespace crosswalk::ui
