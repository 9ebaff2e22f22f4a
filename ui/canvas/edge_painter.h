#pragma once

#include "ui/canvas/scene_painter.h"

#include <cstdint>
#include <span>

namespace crosswalk::ui {

/// Paints edges along their routes: thin lines from afar, rounded lines with an arrow close up.
void paintEdges(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> edges);

/// Paints the edges of selected or hovered boxes above the boxes, with type and shape if there is room. Edges that are
/// replaced by reference tags are drawn as dashed lines.
void paintLitEdges(QPainter& painter, const ScenePicture& picture, TextCache& texts);

} // namespace crosswalk::ui
