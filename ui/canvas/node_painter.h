#pragma once

#include "ui/canvas/scene_painter.h"

#include <cstdint>
#include <span>

namespace crosswalk::ui {

/// Paints boxes in their category's tint with verdict stripes: the appearance of nodes at scales from 0.12 to 0.35.
void paintBlocks(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> nodes);

/// Paints operator names and gap badges on boxes painted by paintBlocks.
void paintTitles(QPainter& painter, const ScenePicture& picture, TextCache& texts,
                 std::span<const std::uint32_t> nodes);

/// Opacity of the titles, 0 to 1.
double titleAlpha(const ScenePicture& picture);

/// Paints a box with header, name and rows, as far as the scale shows them.
void paintNode(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t i);

/// Paints frames around selected boxes (solid) and counterparts (dashed), at least a few pixels wide at any scale.
void paintFrames(QPainter& painter, const ScenePicture& picture);

/// Paints ribbons at the upper left corners of bookmarked boxes, of a visible size at any scale.
void paintBookmarks(QPainter& painter, const ScenePicture& picture);

/// Name of a verdict's icon in `:/icons`, or of the change it represents; empty for exact, which has no icon.
QLatin1String verdictIcon(Verdict verdict, bool isChange);

} // namespace crosswalk::ui
