#pragma once

#include "ui/canvas/scene_painter.h"

#include <QPixmap>

namespace crosswalk::ui {

/// Caches the painted graph. Scrolling shifts the cached picture and paints only the newly exposed parts; changes of
/// the selection or the hovered item repaint nothing.
class Backing {
public:
    /// Updates the picture. `picture.view` is the whole view, `ratio` its device pixels per pixel.
    const QPixmap& update(ScenePainter& painter, const ScenePicture& picture, double ratio);
    /// Discards the cached picture (different scene, marks or theme).
    void forget() { m_pixmap = {}; }

private:
    void paint(ScenePainter& painter, ScenePicture picture, const QRect& part);

    QPixmap m_pixmap;
    ViewTransform m_transform;
    double m_ratio = 0;
};

} // namespace crosswalk::ui
