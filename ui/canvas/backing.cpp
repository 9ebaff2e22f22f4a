#include "ui/canvas/backing.h"

#include <QPainter>

#include <cmath>
#include <cstdlib>

namespace crosswalk::ui {

void Backing::paint(ScenePainter& painter, ScenePicture picture, const QRect& part)
{
    QPainter to(&m_pixmap);
    picture.view = QRectF(QPointF(part.topLeft()) / m_ratio, QSizeF(part.size()) / m_ratio);
    to.setClipRect(picture.view);
    painter.paintGraph(to, picture);
}

const QPixmap& Backing::update(ScenePainter& painter, const ScenePicture& picture, double ratio)
{
    const QSize size = (picture.view.size() * ratio).toSize();
    const QPointF moved = (m_transform.origin - picture.transform.origin) * picture.transform.scale * ratio;
    const QPoint whole = moved.toPoint();
    const bool isShift = !m_pixmap.isNull() && m_pixmap.size() == size && m_ratio == ratio &&
                         m_transform.scale == picture.transform.scale && (moved - whole).manhattanLength() < 0.01 &&
                         std::abs(whole.x()) < size.width() && std::abs(whole.y()) < size.height();
    m_transform = picture.transform;
    if (!isShift) {
        m_ratio = ratio;
        if (m_pixmap.size() != size) {
            m_pixmap = QPixmap(size);
        }
        m_pixmap.setDevicePixelRatio(ratio);
        paint(painter, picture, QRect(QPoint(0, 0), size));
        return m_pixmap;
    }
    if (whole.isNull()) {
        return m_pixmap;
    }
    m_pixmap.scroll(whole.x(), whole.y(), m_pixmap.rect());
    if (whole.x() != 0) {
        const int left = whole.x() > 0 ? 0 : size.width() + whole.x();
        paint(painter, picture, QRect(left, 0, std::abs(whole.x()), size.height()));
    }
    if (whole.y() != 0) {
        const int top = whole.y() > 0 ? 0 : size.height() + whole.y();
        paint(painter, picture, QRect(0, top, size.width(), std::abs(whole.y())));
    }
    return m_pixmap;
}

} // namespace crosswalk::ui
