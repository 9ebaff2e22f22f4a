// Which part of the scene is visible: the beginning, all, or a selection, and the movement between them.

#include "ui/canvas/canvas_view.h"

#include "ui/canvas/minimap.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr double largestScale = 3.0;
constexpr double fitMargin = 28;
constexpr double overviewScale =
    detail::earlyTitles.to; ///< a graph that fits at this scale or above is first shown as a whole
constexpr double beginningScale = 0.75;

} // namespace

double CanvasView::smallestScale() const
{
    if (!m_drawn) {
        return 0.05;
    }
    return std::min(0.25, fitted(m_drawn->index.bounds(), 1.0).scale * 0.7);
}

ViewTransform CanvasView::fitted(const QRectF& area, double largest) const
{
    const double scale = std::min({largest, std::max(1.0, width() - 2 * fitMargin) / std::max(1.0, area.width()),
                                   std::max(1.0, height() - 2 * fitMargin) / std::max(1.0, area.height())});
    const double seen = detail::settled(scale, false);
    return {area.center() - QPointF(width(), height()) / 2 / seen, seen};
}

void CanvasView::showBeginning()
{
    if (!m_drawn) {
        return;
    }
    auto whole = fitted(m_drawn->index.bounds(), 1.0);
    if (whole.scale < overviewScale && !m_drawn->scene.nodes.empty()) {
        const bool isDown = m_drawn->flow() == Flow::Down;
        const auto top = std::min_element(
            m_drawn->scene.layout.positions.begin(), m_drawn->scene.layout.positions.end(),
            [&](const LayoutPoint& a, const LayoutPoint& b) { return isDown ? a.y < b.y : a.x < b.x; });
        const auto first = static_cast<std::uint32_t>(top - m_drawn->scene.layout.positions.begin());
        const auto input =
            std::find_if(m_drawn->scene.nodes.begin(), m_drawn->scene.nodes.end(),
                         [](const SceneNode& n) { return n.value && n.kind != SceneNode::Kind::Output; });
        const QRectF start = m_drawn->index.box(input != m_drawn->scene.nodes.end()
                                                    ? static_cast<std::uint32_t>(input - m_drawn->scene.nodes.begin())
                                                    : first);
        whole.scale = beginningScale;
        whole.origin =
            isDown ? QPointF(start.center().x() - width() / 2.0 / whole.scale, start.top() - fitMargin / whole.scale)
                   : QPointF(start.left() - fitMargin / whole.scale, start.center().y() - height() / 2.0 / whole.scale);
        // The area next to an input at the edge of a wide graph would be empty.
        const QRectF bounds = m_drawn->index.bounds();
        const double margin = fitMargin / whole.scale;
        const auto within = [&](double at, double first, double last, double length) {
            return last - first > 2 * length ? std::clamp(at, first - margin, last + margin - length) : at;
        };
        if (isDown) {
            whole.origin.setX(within(whole.origin.x(), bounds.left(), bounds.right(), width() / whole.scale));
        } else {
            whole.origin.setY(within(whole.origin.y(), bounds.top(), bounds.bottom(), height() / whole.scale));
        }
    }
    setTransform(whole);
    m_beginningPending = true;
}

void CanvasView::fit()
{
    if (m_drawn) {
        glideTo(fitted(m_drawn->index.bounds(), 1.0));
    }
}

void CanvasView::zoomToActualSize()
{
    zoomAt(QRectF(rect()).center(), 1.0 / m_transform.scale);
}

void CanvasView::zoomIn()
{
    zoomAt(QRectF(rect()).center(), 1.25);
}

void CanvasView::zoomOut()
{
    zoomAt(QRectF(rect()).center(), 0.8);
}

void CanvasView::zoomToSelection()
{
    if (!m_drawn || (m_selection.empty() && m_counterparts.empty())) {
        return;
    }
    QRectF area;
    for (const auto i : m_selection.empty() ? m_counterparts : m_selection) {
        area |= m_drawn->index.box(i);
    }
    glideTo(fitted(area.adjusted(-60, -60, 60, 60), 1.2));
}

void CanvasView::zoomAt(QPointF place, double factor)
{
    m_glide.stop();
    finishChange();
    const double scale = std::clamp(m_transform.scale * factor, smallestScale(), largestScale);
    const bool settlesLater = m_animated && isVisible();
    setTransform(scaledAround(place, settlesLater ? scale : detail::settled(scale, factor > 1)));
    m_zoomedAt = place;
    m_settling.start();
}

ViewTransform CanvasView::scaledAround(QPointF place, double scale) const
{
    return {m_transform.toScene(place) - place / scale, scale};
}

/// Zooming never stops at a scale at which an element is only partly faded in.
void CanvasView::settle()
{
    const double scale = m_transform.scale;
    const double smaller = detail::settled(scale, false);
    const double larger = detail::settled(scale, true);
    if (smaller < larger) {
        glideTo(scaledAround(m_zoomedAt, scale - smaller < larger - scale ? smaller : larger));
    }
}

void CanvasView::glideTo(const ViewTransform& target)
{
    m_glide.stop();
    if (!m_animated || !isVisible()) {
        setTransform(target);
        return;
    }
    const ViewTransform from = m_transform;
    const QPointF middle = QRectF(rect()).center();
    m_glide.disconnect(this);
    connect(&m_glide, &QVariantAnimation::valueChanged, this, [this, from, target, middle](const QVariant& value) {
        const double t = value.toDouble();
        const double scale = std::exp(std::log(from.scale) + (std::log(target.scale) - std::log(from.scale)) * t);
        const QPointF center = from.toScene(middle) * (1 - t) + target.toScene(middle) * t;
        setTransform(t >= 1 ? target : ViewTransform{center - middle / scale, scale});
    });
    m_glide.setStartValue(0.0);
    m_glide.setEndValue(1.0);
    m_glide.start();
}

void CanvasView::reveal(const std::vector<std::uint32_t>& nodes)
{
    if (!m_drawn || nodes.empty()) {
        return;
    }
    const QRectF visible = visibleArea();
    const QRectF underMap = m_minimap->isVisible() ? m_transform.toScene(QRectF(m_minimap->geometry())) : QRectF();
    QRectF wanted;
    bool hidden = false;
    for (const auto i : nodes) {
        const QRectF r = m_drawn->index.box(i);
        wanted |= r;
        hidden |= !visible.contains(r) || r.intersects(underMap);
    }
    const double margin = 24 / m_transform.scale;
    wanted.adjust(-margin, -margin, margin, margin);
    if (!hidden) {
        return;
    }
    if (wanted.width() > visible.width() || wanted.height() > visible.height()) {
        // The boxes do not fit together: zoom out as long as titles stay readable, otherwise show the first.
        const auto all = fitted(wanted, m_transform.scale);
        if (all.scale >= detail::titles.from) {
            glideTo(all);
            return;
        }
        wanted = m_drawn->index.box(nodes.front()).adjusted(-margin, -margin, margin, margin);
    }
    ViewTransform target = m_transform;
    const auto shift = [](double low, double high, double from, double to) {
        return from < low || to - from > high - low ? from - low : to > high ? to - high : 0.0;
    };
    target.origin += QPointF(shift(visible.left(), visible.right(), wanted.left(), wanted.right()),
                             shift(visible.top(), visible.bottom(), wanted.top(), wanted.bottom()));
    // The overview must not cover them.
    const QRectF covered = underMap.translated(target.origin - m_transform.origin);
    if (covered.intersects(wanted) && wanted.height() < covered.top() - target.origin.y()) {
        target.origin.ry() += wanted.bottom() - covered.top();
    }
    // A distant box is centred in the view; a neighbour is only scrolled into view.
    const QPointF moved = target.origin - m_transform.origin;
    if (std::abs(moved.x()) > visible.width() || std::abs(moved.y()) > visible.height()) {
        target.origin = wanted.center() - QPointF(width(), height()) / 2 / m_transform.scale;
    }
    glideTo(target);
}

} // namespace crosswalk::ui
