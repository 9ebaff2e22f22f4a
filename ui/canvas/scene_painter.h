#pragma once

#include "ui/canvas/drawn_scene.h"
#include "ui/canvas/text_cache.h"
#include "ui/canvas/view_transform.h"

#include <functional>

namespace crosswalk::ui {

/// All that a picture of a scene depends on.
struct ScenePicture {
    const DrawnScene* drawn = nullptr;
    const SceneMarks* marks = nullptr; ///< may be null
    const Theme* theme = nullptr;
    ViewTransform transform;
    QRectF view;                                 ///< what to paint, in view coordinates
    std::span<const std::uint32_t> selected;     ///< boxes, ascending
    std::span<const std::uint32_t> counterparts; ///< boxes, ascending
    std::optional<std::uint32_t> hoverNode;
    std::optional<std::uint32_t> hoverEdge;
    std::function<QString(std::uint32_t edge)> edgeLabel; ///< type and shape of what flows; may be empty
};

/// Paints a scene with the level of detail that its scale asks for. The same code paints the window, the pictures
/// of `crosswalk render` and the tests' screenshots.
class ScenePainter {
public:
    /// Everything: the graph, then what is lit and framed.
    void paint(QPainter& painter, const ScenePicture& picture);
    /// The graph alone, the same whatever is selected or under the pointer.
    void paintGraph(QPainter& painter, const ScenePicture& picture);
    /// Lit edges and frames of the selection.
    void paintOverlay(QPainter& painter, const ScenePicture& picture);

private:
    void paintFar(QPainter& painter, const ScenePicture& picture);
    void paintNear(QPainter& painter, const ScenePicture& picture);
    void paintAlarms(QPainter& painter, const ScenePicture& picture);

    TextCache m_texts;
    std::vector<std::uint32_t> m_nodes; ///< in view; kept to be reused
    std::vector<std::uint32_t> m_edges;
};

} // namespace crosswalk::ui
