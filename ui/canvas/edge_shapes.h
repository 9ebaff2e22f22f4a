#pragma once

#include "ui/canvas/scene_painter.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace crosswalk::ui {

inline constexpr double badgeRoom = 22; ///< space above a box with badges, at scale 1; labels of edges avoid it

/// Labels with the shapes of values on their edges. The place of a label depends only on the scene around it, not on
/// the visible part, so that a scrolled picture and its new margins agree. A label covers no box, no title of a frame
/// and no other label; an edge without room for it has none.
class EdgeShapes {
public:
    /// `picture` must have an edgeShape function. Both outlive this object.
    EdgeShapes(const ScenePicture& picture, TextCache& texts);

    /// The rectangle of the label of an edge, in scene coordinates; nothing if there is no label.
    std::optional<QRectF> placeOf(std::uint32_t edge);
    void paint(QPainter& painter, std::uint32_t edge);

    /// Whether labels are visible at all.
    static bool areShown(const ScenePicture& picture);

private:
    struct Label {
        std::optional<ShapedText> text; ///< none: no label
        QRectF place;
    };
    const Label& wanted(std::uint32_t edge);
    bool isFree(const QRectF& place);

    const ScenePicture& m_picture;
    TextCache& m_texts;
    std::unordered_map<std::uint32_t, Label> m_wanted; ///< where labels would be if there were no others
    std::vector<QRectF> m_titles;                      ///< of frames
    std::vector<std::uint32_t> m_nodes;                ///< kept to reuse memory
    std::vector<std::uint32_t> m_edges;
};

/// Paints the labels in the visible part.
void paintEdgeShapes(QPainter& painter, const ScenePicture& picture, TextCache& texts);

/// The point at a fraction of a route's length.
QPointF pointOf(std::span<const LayoutPoint> route, double share);

} // namespace crosswalk::ui
