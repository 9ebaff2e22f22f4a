#pragma once

#include "core/convert/conversion.h"
#include "ui/canvas/drawn_scene.h"
#include "ui/document/graph_counts.h"
#include "ui/models/outline.h"

#include <memory>

namespace crosswalk::ui {

/// Left or right in the window.
enum class Side : std::uint8_t { Source, Target };

/// One of the two graphs as the window needs it. Made in the background, shared, never changed.
class GraphSide {
public:
    GraphSide(std::shared_ptr<const Graph> shared, std::shared_ptr<const Scene> boxes,
              std::shared_ptr<const SceneGroups> foldable, const KnownTypes& types);
    GraphSide(const GraphSide&) = delete;
    GraphSide& operator=(const GraphSide&) = delete;

    const std::shared_ptr<const Graph> graph;
    const std::shared_ptr<const Scene> scene; ///< every box, whatever is folded; laid out where there are no groups
    const std::shared_ptr<const SceneGroups> groups;
    const NodeNames names;
    const Consumers consumers;
    const Outline outline;
    const GraphCounts counts;
    const std::vector<bool> isStoredAlone; ///< by value: stored, or computed of stored ones alone

    /// The box of a node; nothing for what is folded into others.
    std::optional<std::uint32_t> boxOf(NodeId node) const;
    /// The box of a graph input or output: of an input that is a node's output, that node's.
    std::optional<std::uint32_t> boxOf(ValueId value) const;
    /// The graph input that a box is, as a box of its own or as a node; none for any other.
    ValueId inputOf(std::uint32_t box) const;
    const SceneNode& box(std::uint32_t index) const { return scene->nodes[index]; }
    /// What the box is called in lists and messages.
    std::string label(std::uint32_t index) const;

private:
    std::unordered_map<std::uint32_t, std::uint32_t> m_boxOfValue;
};

/// How a side is drawn: which of its groups are open, and what that looks like. Never changed.
struct SideDrawing {
    OpenGroups open;
    std::shared_ptr<const DrawnScene> drawn;
    Flow flow() const { return drawn->flow(); }

    /// The side with these groups open. What `previous` (may be null) has of the same is taken from there. Null when
    /// stopped.
    static std::shared_ptr<const SideDrawing> make(const GraphSide& side, OpenGroups open, const SideDrawing* previous,
                                                   std::stop_token stop, Flow flow = Flow::Down);
};

/// A side and how it is drawn.
struct DrawnSide {
    std::shared_ptr<const GraphSide> side;
    std::shared_ptr<const SideDrawing> drawing;
    /// By box of the side that it was made after: the same box here. Null where all have the number they had.
    std::shared_ptr<const std::vector<std::uint32_t>> sameNow = nullptr;

    explicit operator bool() const { return side && drawing; }
    /// Empty when stopped. From `previous` (may be empty) come the groups that are
    /// open, and the layout of all that has not changed, so that nothing moves; `flow` is for the first time.
    static DrawnSide make(std::shared_ptr<const Graph> graph, const KnownTypes& types, const DrawnSide& previous,
                          std::stop_token stop, Flow flow = Flow::Down);
};

} // namespace crosswalk::ui
