#pragma once

#include "ui/canvas/drawn_scene.h"
#include "ui/canvas/text_cache.h"
#include "ui/canvas/view_transform.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace crosswalk::ui {

/// Everything that a picture of a scene depends on.
struct ScenePicture {
    const DrawnScene* drawn = nullptr;
    const SceneMarks* marks = nullptr; ///< may be null
    const Occupancy* cells = nullptr;  ///< in the colours of the marks (cellsOf); null: in those of the categories
    const Theme* theme = nullptr;
    ViewTransform transform;
    QRectF view;                                 ///< the part to paint, in view coordinates
    std::span<const std::uint32_t> selected;     ///< boxes, ascending
    std::span<const std::uint32_t> counterparts; ///< boxes, ascending
    std::span<const std::uint32_t> bookmarked;   ///< boxes
    std::optional<std::uint32_t> hoverNode;
    std::optional<std::uint32_t> hoverEdge;
    std::function<QString(std::uint32_t edge)> edgeLabel; ///< type and shape of the value; may be empty
    std::function<QString(std::uint32_t edge)> edgeShape; ///< shape of the value, on every edge; null: not shown
};

/// Paints a scene with the level of detail for its scale. The window, `crosswalk render` and the tests' screenshots
/// share this code.
class ScenePainter {
public:
    /// Paints the graph and the overlay.
    void paint(QPainter& painter, const ScenePicture& picture);
    /// Paints the graph without the selection and the hovered item.
    void paintGraph(QPainter& painter, const ScenePicture& picture);
    /// Paints highlighted edges and selection frames.
    void paintOverlay(QPainter& painter, const ScenePicture& picture);
    /// The open group whose title is painted at a place in view coordinates.
    std::optional<std::uint32_t> titleAt(const ScenePicture& picture, QPointF place);

private:
    void paintFar(QPainter& painter, const ScenePicture& picture);
    void paintNear(QPainter& painter, const ScenePicture& picture);
    void paintAlarms(QPainter& painter, const ScenePicture& picture);

    TextCache m_texts;
    std::vector<std::uint32_t> m_nodes; ///< visible boxes; kept to reuse memory
    std::vector<std::uint32_t> m_edges;
};

} // namespace crosswalk::ui
