#pragma once

#include "ui/canvas/scene_painter.h"

#include <QPixmap>

namespace crosswalk::ui {

/// The graph as it was painted last. A frame that only moves shifts it and paints what has come into view; a change of
/// selection or of what is under the pointer paints nothing of it anew.
class Backing {
public:
    /// Brings the picture up to date; `picture.view` is the whole view, `ratio` its device pixels per pixel.
    const QPixmap& update(ScenePainter& painter, const ScenePicture& picture, double ratio);
    /// What was painted is no longer true (another scene, other marks, another theme).
    void forget() { m_pixmap = {}; }

private:
    void paint(ScenePainter& painter, ScenePicture picture, const QRect& part);

    QPixmap m_pixmap;
    ViewTransform m_transform;
    double m_ratio = 0;
};

} // namespace crosswalk::ui
