#pragma once

#include "ui/canvas/scene_painter.h"

namespace crosswalk::ui {

/// Edges as they run; thin lines from afar, rounded lines with an arrow from near.
void paintEdges(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> edges);

/// Edges of what is selected or under the pointer, over the boxes, with type and shape where there is room. Edges that
/// were cut into reference tags are shown as dashed lines.
void paintLitEdges(QPainter& painter, const ScenePicture& picture, TextCache& texts);

} // namespace crosswalk::ui
