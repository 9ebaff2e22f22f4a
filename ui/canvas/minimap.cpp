#include "ui/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr double mapMargin = 6;        ///< around the picture
constexpr int canvasDistance = 12;     ///< to the edges of the canvas
constexpr double longestMapSide = 140; ///< longest side, if the canvas has room for it
constexpr double share = 0.24;         ///< maximum fraction of the canvas' sides
constexpr int smallestCanvas = 280;    ///< on smaller canvases the picture would hide more than it shows
constexpr int largeCanvas = 560;       ///< from this size on, the overview covers only a small part
constexpr double shortest = 44; ///< minimum side: a graph that is a single chain is widened to this to stay visible

} // namespace

Minimap::Minimap(QWidget* canvas)
    : QWidget(canvas)
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Overview of the graph"));
    setCursor(Qt::PointingHandCursor);
    hide();
}

void Minimap::setScene(std::shared_ptr<const DrawnScene> drawn)
{
    m_drawn = std::move(drawn);
    m_cells.reset();
    m_picture = {};
    decideVisible();
}

void Minimap::setCells(std::shared_ptr<const Occupancy> cells)
{
    if (cells != m_cells) {
        m_cells = std::move(cells);
        m_picture = {};
        update();
    }
}

void Minimap::setView(const QRectF& visibleArea)
{
    m_view = visibleArea;
    decideVisible();
    update();
}

bool Minimap::standsOnBoxes() const
{
    const double scale = parentWidget()->width() / m_view.width();
    std::vector<std::uint32_t> under;
    m_drawn->index.nodesIn(QRectF(m_view.topLeft() + QPointF(pos()) / scale, QSizeF(size()) / scale), under);
    return !under.empty();
}

void Minimap::decideVisible()
{
    const bool wanted = m_drawn && m_roomy && !m_drawn->scene.nodes.empty() &&
                        !m_view.contains(m_drawn->index.bounds()) && !(m_isSmall && !m_isHeld && standsOnBoxes());
    if (wanted != isVisibleTo(parentWidget())) {
        setVisible(wanted);
    }
}

void Minimap::adjustPlace(const QRect& canvas)
{
    if (!m_drawn) {
        return;
    }
    const QSizeF graph = m_drawn->index.bounds().size();
    const double scale = std::min(std::min(longestMapSide, share * canvas.width()) / std::max(1.0, graph.width()),
                                  std::min(longestMapSide, share * canvas.height()) / std::max(1.0, graph.height()));
    const QSize size(static_cast<int>(std::max(shortest, graph.width() * scale) + 2 * mapMargin),
                     static_cast<int>(std::max(shortest, graph.height() * scale) + 2 * mapMargin));
    if (size != this->size()) {
        m_picture = {};
    }
    setGeometry(
        QRect(QPoint(canvas.right() - size.width() - canvasDistance, canvas.bottom() - size.height() - canvasDistance),
              size));
    const int side = std::min(canvas.width(), canvas.height());
    m_roomy = side > smallestCanvas;
    m_isSmall = side < largeCanvas;
    decideVisible();
}

QPointF Minimap::toMap(QPointF p) const
{
    const QRectF b = m_drawn->index.bounds();
    return {mapMargin + (p.x() - b.left()) / std::max(1.0, b.width()) * (width() - 2 * mapMargin),
            mapMargin + (p.y() - b.top()) / std::max(1.0, b.height()) * (height() - 2 * mapMargin)};
}

QPointF Minimap::toScene(QPointF p) const
{
    const QRectF b = m_drawn->index.bounds();
    return {b.left() + (p.x() - mapMargin) / (width() - 2 * mapMargin) * b.width(),
            b.top() + (p.y() - mapMargin) / (height() - 2 * mapMargin) * b.height()};
}

void Minimap::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& t = theme();
    if (m_picture.isNull()) {
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        m_picture.fill(t.canvas);
        QPainter painter(&m_picture);
        (m_cells ? *m_cells : m_drawn->occupancy)
            .paint(painter, m_drawn->index.bounds(),
                   QRectF(rect()).adjusted(mapMargin, mapMargin, -mapMargin, -mapMargin), t);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setPen(t.strongLine);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));

    QRectF frame(toMap(m_view.topLeft()), toMap(m_view.bottomRight()));
    if (frame.height() < 6) {
        frame.adjust(0, (frame.height() - 6) / 2, 0, (6 - frame.height()) / 2);
    }
    if (frame.width() < 6) {
        frame.adjust((frame.width() - 6) / 2, 0, (6 - frame.width()) / 2, 0);
    }
    frame = frame.intersected(QRectF(rect()).adjusted(2, 2, -3, -3));
    QColor ground = t.accent;
    ground.setAlpha(40);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.accent, 1.5));
    painter.setBrush(ground);
    painter.drawRoundedRect(frame, 2, 2);
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    m_isHeld = true;
    emit moved(toScene(event->position()));
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    emit moved(toScene(event->position()));
}

void Minimap::mouseReleaseEvent(QMouseEvent* /*event*/)
{
    m_isHeld = false;
    decideVisible();
}

void Minimap::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        m_picture = {};
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace crosswalk::ui
