#pragma once

#include "core/convert/conversion.h"
#include "ui/canvas/drawn_scene.h"
#include "ui/models/outline.h"

#include <memory>

namespace crosswalk::ui {

/// Left or right in the window.
enum class Side : std::uint8_t { Source, Target };

/// One of the two graphs as the window needs it. Made in the background, shared, never changed.
class GraphSide {
public:
    /// Null when stopped. `types` as buildScene takes them. A layout is taken from `previous` where every box and edge
    /// is the same, so that nothing moves.
    static std::shared_ptr<const GraphSide> make(std::shared_ptr<const Graph> graph, std::span<const TensorType> types,
                                                 const GraphSide* previous, std::stop_token stop);

    GraphSide(std::shared_ptr<const Graph> shared, Scene laidOut);
    GraphSide(const GraphSide&) = delete;
    GraphSide& operator=(const GraphSide&) = delete;

    const std::shared_ptr<const Graph> graph;
    const std::shared_ptr<const DrawnScene> drawn;
    const NodeNames names;
    const Consumers consumers;
    const Outline outline;

    /// The box of a node; nothing for what is folded into others.
    std::optional<std::uint32_t> boxOf(NodeId node) const;
    /// The box of a graph input or output.
    std::optional<std::uint32_t> boxOf(ValueId value) const;
    const SceneNode& box(std::uint32_t index) const { return drawn->scene.nodes[index]; }
    /// What the box is called in lists and messages.
    std::string label(std::uint32_t box) const;

private:
    std::unordered_map<std::uint32_t, std::uint32_t> m_boxOfValue;
};

} // namespace crosswalk::ui
