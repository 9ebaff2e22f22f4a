#pragma once

#include "ui/canvas/scene_painter.h"

namespace crosswalk::ui {

/// Boxes in category tint with verdict stripes: what is seen of nodes between 0.12 and 0.35.
void paintBlocks(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> nodes);

/// Operator names, and what ONNX cannot say, for boxes that paintBlocks has painted.
void paintTitles(QPainter& painter, const ScenePicture& picture, TextCache& texts,
                 std::span<const std::uint32_t> nodes);

/// How much of them is seen, 0 to 1.
double titleAlpha(const ScenePicture& picture);

/// A box with header, name and rows, as far as the scale shows them.
void paintNode(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t i);

/// Frames around selected boxes (solid) and counterparts (dashed), at least a few pixels large at any scale.
void paintFrames(QPainter& painter, const ScenePicture& picture);

/// Icon of a verdict in `:/icons`, or of the change that it stands for; empty for exact, which has none.
QLatin1String verdictIcon(Verdict verdict, bool isChange);

} // namespace crosswalk::ui
