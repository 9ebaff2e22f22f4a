// Which part of the scene is visible: the beginning, all, or a selection, and the movement between them.

#include "ui/canvas/canvas_view.h"

#include "ui/canvas/minimap.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace crosswalk::ui {
namespace {

constexpr double largestScale = 3.0;
constexpr double fitMargin = 28;

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

ViewTransform CanvasView::beginning() const
{
    const bool isDown = m_drawn->flow() == Flow::Down;
    // Along the flow, and across it.
    const auto along = [isDown](const QRectF& r) {
        return isDown ? std::pair(r.top(), r.bottom()) : std::pair(r.left(), r.right());
    };
    const auto across = [isDown](const QRectF& r) {
        return isDown ? std::pair(r.left(), r.right()) : std::pair(r.top(), r.bottom());
    };
    const double margin = fitMargin / detail::readable;
    const double length = (isDown ? height() : width()) / detail::readable;
    const double breadth = (isDown ? width() : height()) / detail::readable;
    const QRectF bounds = m_drawn->index.bounds();
    std::optional<std::uint32_t> input; // the first along the flow
    for (std::uint32_t i = 0; i < m_drawn->scene.nodes.size(); ++i) {
        const SceneNode& node = m_drawn->scene.nodes[i];
        const bool isInput = node.value && node.kind != SceneNode::Kind::Output;
        if (isInput && (!input || along(m_drawn->index.box(i)).first < along(m_drawn->index.box(*input)).first)) {
            input = i;
        }
    }
    const double start = (input ? along(m_drawn->index.box(*input)) : along(bounds)).first - margin;

    // Across the flow, the input and as many boxes as possible are wanted in the view.
    const QRectF band = isDown ? QRectF(bounds.left(), start, bounds.width(), length)
                               : QRectF(start, bounds.top(), length, bounds.height());
    std::vector<std::uint32_t> seen;
    m_drawn->index.nodesIn(band, seen);
    std::vector<std::pair<double, double>> spans;
    spans.reserve(seen.size());
    for (const auto i : seen) {
        spans.push_back(across(m_drawn->index.box(i)));
    }
    std::ranges::sort(spans, {}, [](const auto& span) { return span.first + span.second; });
    const auto ofInput = static_cast<std::size_t>(
        input ? std::ranges::find(spans, across(m_drawn->index.box(*input))) - spans.begin() : 0);
    std::size_t first = 0;
    std::size_t count = 0;
    for (std::size_t from = 0, to = 0; from < spans.size(); ++from) {
        to = std::max(to, from);
        while (to < spans.size() && spans[to].second - spans[from].first <= breadth - 2 * margin) {
            ++to;
        }
        const bool hasInput = !input || (from <= ofInput && ofInput < to);
        if (to - from > count && hasInput) {
            first = from;
            count = to - from;
        }
    }
    double middle = (across(bounds).first + across(bounds).second) / 2;
    if (count > 0) {
        // The trunk is where most boxes stand: the median. All of those that fit stay visible.
        const auto& trunk = spans[first + count / 2];
        const auto fitting = std::span(spans).subspan(first, count);
        const double low = std::ranges::min(fitting, {}, &std::pair<double, double>::first).first;
        const double high = std::ranges::max(fitting, {}, &std::pair<double, double>::second).second;
        const double least = high + margin - breadth / 2;
        const double most = low - margin + breadth / 2;
        middle = (trunk.first + trunk.second) / 2;
        middle = least <= most ? std::clamp(middle, least, most) : (low + high) / 2;
    } else if (!spans.empty()) {
        const auto& broad = spans[std::min(ofInput, spans.size() - 1)]; // a box that is broader than the view
        middle = (broad.first + broad.second) / 2;
    }
    if (!spans.empty()) {
        // No space beside the boxes while others are outside the view.
        const double least = std::ranges::min(spans, {}, &std::pair<double, double>::first).first - margin;
        const double most = std::ranges::max(spans, {}, &std::pair<double, double>::second).second + margin;
        if (most - least > breadth) {
            middle = std::clamp(middle, least + breadth / 2, most - breadth / 2);
        }
    }
    const double edge = middle - breadth / 2;
    return {isDown ? QPointF(edge, start) : QPointF(start, edge), detail::readable};
}

void CanvasView::showBeginning()
{
    if (!m_drawn) {
        return;
    }
    const ViewTransform whole = fitted(m_drawn->index.bounds(), 1.0);
    setTransform(whole.scale < detail::readable && !m_drawn->scene.nodes.empty() ? beginning() : whole);
    m_beginningPending = true;
}

void CanvasView::fit()
{
    if (m_drawn) {
        glideTo(fitted(m_drawn->index.bounds(), 1.0));
    }
}

QPointF CanvasView::zoomCenter() const
{
    const auto& boxes = m_selection.empty() ? m_counterparts : m_selection;
    QRectF area;
    for (const auto i : m_drawn ? boxes : std::vector<std::uint32_t>()) {
        area |= m_drawn->index.box(i);
    }
    const QPointF middle = m_transform.toView(area.center());
    return !area.isNull() && QRectF(rect()).contains(middle) ? middle : QRectF(rect()).center();
}

void CanvasView::zoomToActualSize()
{
    zoomAt(zoomCenter(), 1.0 / m_transform.scale);
}

void CanvasView::zoomIn()
{
    zoomAt(zoomCenter(), 1.25);
}

void CanvasView::zoomOut()
{
    zoomAt(zoomCenter(), 0.8);
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
    if (!isMoving()) {
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

void CanvasView::jumpTo(const std::vector<std::uint32_t>& nodes)
{
    if (!m_drawn || nodes.empty()) {
        return;
    }
    QRectF area;
    for (const auto i : nodes) {
        area |= m_drawn->index.box(i);
    }
    const QSizeF room = QSizeF(width() - 2 * fitMargin, height() - 2 * fitMargin) / detail::readable;
    const bool fits = nodes.size() == 1 || (area.width() <= room.width() && area.height() <= room.height());
    if (m_transform.scale >= detail::readable || !fits) {
        reveal(nodes);
        return;
    }
    glideTo({area.center() - QPointF(width(), height()) / 2 / detail::readable, detail::readable});
}

void CanvasView::reveal(const std::vector<std::uint32_t>& nodes)
{
    if (!m_drawn || nodes.empty()) {
        return;
    }
    const QRectF visible = m_transform.toScene(QRectF(contentsRect()));
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
