#pragma once

#include "ui/canvas/scene_painter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// Reference tag: a label at either end of an edge that is not drawn as a line.
struct ReferenceTag {
    QRectF place; ///< in scene coordinates
    std::string text;
    std::vector<std::uint32_t> targets; ///< boxes at the other ends
};
/// Tags of a box for its producers and consumers: above and below it, or side by side above it if the graph flows to
/// the right. They use only the gaps around their box, so they never overlap tags of other boxes.
std::vector<ReferenceTag> referenceTags(const DrawnScene& drawn, std::uint32_t node);
void paintTags(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t node);

} // namespace crosswalk::ui
