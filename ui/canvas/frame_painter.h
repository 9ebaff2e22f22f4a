#pragma once

#include "ui/canvas/scene_painter.h"

namespace crosswalk::ui {

/// Paints the opaque, tinted background of open groups, below everything else.
void paintGroupGrounds(QPainter& painter, const ScenePicture& picture);
/// Paints the outlines of open groups.
void paintGroupLines(QPainter& painter, const ScenePicture& picture);
/// Paints the titles of open groups above edges. From afar they stay readable as long as they fit.
void paintGroupTitles(QPainter& painter, const ScenePicture& picture, TextCache& texts);

/// The rectangles of the titles, in view coordinates.
QList<QRectF> groupTitlePlaces(const ScenePicture& picture, TextCache& texts);
/// The group whose title is painted at a place in view coordinates.
std::optional<std::uint32_t> groupTitleAt(const ScenePicture& picture, TextCache& texts, QPointF place);

/// Marks a box that can be opened: the edges of stacked sheets behind it, and a sign in its header.
void paintSheets(QPainter& painter, const ScenePicture& picture, const QRectF& box);
/// A chevron in a square; it points down if `open`.
void paintFoldSign(QPainter& painter, QPointF middle, double side, bool open, const QColor& color);

} // namespace crosswalk::ui
