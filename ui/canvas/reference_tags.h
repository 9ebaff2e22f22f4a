#pragma once

#include "ui/canvas/scene_painter.h"

namespace crosswalk::ui {

/// Reference tags: a label at both ends of an edge that is not drawn as a line.
struct ReferenceTag {
    QRectF place; ///< in the scene
    std::string text;
    std::vector<std::uint32_t> targets; ///< boxes at the other ends
};
/// Tags of a box, for what it reads and for who reads it: above and below it, or side by side above it where the graph
/// leads to the right. They take the gaps around their box alone, so none meets a tag of another box.
std::vector<ReferenceTag> referenceTags(const DrawnScene& drawn, std::uint32_t node);
void paintTags(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t node);

} // namespace crosswalk::ui
