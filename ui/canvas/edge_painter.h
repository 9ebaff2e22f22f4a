#pragma once

#include "ui/canvas/scene_painter.h"

namespace crosswalk::ui {

/// Edges as they run; thin lines from afar, rounded lines with an arrow from near.
void paintEdges(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> edges);

/// Edges of what is selected or under the pointer, over the boxes, with type and shape where there is room. Edges that
/// were cut into reference tags are shown as dashed lines.
void paintLitEdges(QPainter& painter, const ScenePicture& picture, TextCache& texts);

/// Reference tags: a label at both ends of an edge that is not drawn as a line.
struct ReferenceTag {
    QRectF place; ///< in the scene
    std::string text;
    std::vector<std::uint32_t> targets; ///< boxes at the other ends
};
/// Tags of a box: above it for what it reads, below it for who reads it.
std::vector<ReferenceTag> referenceTags(const DrawnScene& drawn, std::uint32_t node);
void paintTags(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t node);

} // namespace crosswalk::ui
