#pragma once

#include "ui/canvas/scene_painter.h"

namespace crosswalk::ui {

/// The tinted ground of open groups, under everything else. It is opaque.
void paintGroupGrounds(QPainter& painter, const ScenePicture& picture);
/// The lines around them.
void paintGroupLines(QPainter& painter, const ScenePicture& picture);
/// Their titles, over the lines that pass them. From afar they stay readable as long as they fit.
void paintGroupTitles(QPainter& painter, const ScenePicture& picture, TextCache& texts);

/// Where they are painted, in the view.
QList<QRectF> groupTitlePlaces(const ScenePicture& picture, TextCache& texts);

/// What shows that a box can be opened: the edges of more sheets behind it, and a sign in its header.
void paintSheets(QPainter& painter, const ScenePicture& picture, const QRectF& box);
/// A chevron in a square; `open` turns it downwards.
void paintFoldSign(QPainter& painter, QPointF middle, double side, bool open, const QColor& color);

} // namespace crosswalk::ui
