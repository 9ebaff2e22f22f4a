#include "ui/canvas/canvas_view.h"

#include "ui/canvas/minimap.h"
#include "ui/canvas/reference_tags.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr int glideMilliseconds = 180;
constexpr int settleMilliseconds = 250;
constexpr int changeMilliseconds = 200;
constexpr std::size_t maxVisited = 200;

} // namespace

CanvasView::CanvasView(QWidget* parent)
    : QWidget(parent)
    , m_minimap(new Minimap(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(120, 120);
    grabGesture(Qt::PinchGesture);
    m_glide.setDuration(glideMilliseconds);
    m_glide.setEasingCurve(QEasingCurve::OutCubic);
    m_settling.setSingleShot(true);
    m_settling.setInterval(settleMilliseconds);
    connect(&m_settling, &QTimer::timeout, this, &CanvasView::settle);
    m_change.setDuration(changeMilliseconds);
    m_change.setEasingCurve(QEasingCurve::InOutCubic);
    m_change.setStartValue(0.0);
    m_change.setEndValue(1.0);
    connect(&m_change, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_change, &QVariantAnimation::finished, this, &CanvasView::finishChange);
    connect(m_minimap, &Minimap::moved, this,
            [this](QPointF scenePoint) { moveTo(scenePoint, QRectF(rect()).center()); });
}

CanvasView::~CanvasView() = default;

void CanvasView::replaceScene(std::shared_ptr<const DrawnScene> drawn)
{
    m_glide.stop();
    finishChange();
    m_pressedNode.reset();
    m_pressedGroup.reset();
    m_drawn = std::move(drawn);
    m_marks.reset();
    m_cells.reset();
    m_backing.forget();
    m_hoverNode.reset();
    m_hoverEdge.reset();
    m_visited.clear();
    m_current.reset();
    m_rubberBand.reset();
    m_bookmarks.clear();
    m_minimap->setScene(m_drawn);
}

void CanvasView::setScene(std::shared_ptr<const DrawnScene> drawn)
{
    replaceScene(std::move(drawn));
    m_selection.clear();
    m_counterparts.clear();
    showBeginning();
    placeMinimap();
    update();
}

ScenePart CanvasView::part(Part which) const
{
    const auto& boxes = m_selection.empty() ? m_counterparts : m_selection;
    const bool isWhole = which == Part::Whole || boxes.empty();
    constexpr double sharp = 2;
    return {m_drawn, m_marks, m_cells, &theme(), isWhole ? wholeArea(*m_drawn) : areaOf(*m_drawn, boxes), sharp};
}

void CanvasView::setMarks(std::shared_ptr<const SceneMarks> marks)
{
    m_marks = std::move(marks);
    m_cells = m_drawn ? cellsOf(*m_drawn, m_marks.get()) : nullptr;
    m_minimap->setCells(m_cells);
    m_backing.forget();
    update();
}

void CanvasView::setToolTips(std::function<QString(std::uint32_t)> node, std::function<QString(std::uint32_t)> edge)
{
    m_nodeTip = std::move(node);
    m_edgeTip = std::move(edge);
}

void CanvasView::setShapesShown(bool shown)
{
    m_shapesShown = shown;
    m_backing.forget();
    update();
}

void CanvasView::setPlaceholder(const QString& text)
{
    m_placeholder = text;
    update();
}

void CanvasView::setSelection(std::vector<std::uint32_t> nodes)
{
    std::sort(nodes.begin(), nodes.end());
    m_selection = std::move(nodes);
    if (m_current && !std::ranges::binary_search(m_selection, *m_current)) {
        m_current.reset();
    }
    update();
}

void CanvasView::setCounterparts(std::vector<std::uint32_t> nodes)
{
    std::sort(nodes.begin(), nodes.end());
    m_counterparts = std::move(nodes);
    update();
}

void CanvasView::setBookmarks(std::vector<std::uint32_t> nodes)
{
    m_bookmarks = std::move(nodes);
    update();
}

void CanvasView::setTransform(const ViewTransform& transform)
{
    m_beginningPending = false;
    // Snap to whole device pixels: a moved picture is then the same picture, shifted.
    const double grain = transform.scale * devicePixelRatioF();
    const ViewTransform snapped{
        {std::round(transform.origin.x() * grain) / grain, std::round(transform.origin.y() * grain) / grain},
        transform.scale};
    if (snapped == m_transform) {
        return;
    }
    m_transform = snapped;
    m_minimap->setView(visibleArea());
    update();
    emit transformChanged();
}

void CanvasView::moveTo(QPointF point, QPointF place)
{
    m_glide.stop();
    setTransform({point - place / m_transform.scale, m_transform.scale});
}

void CanvasView::pick(std::vector<std::uint32_t> nodes)
{
    if (nodes.size() == 1 && (m_visited.empty() || m_visited.back() != nodes.front())) {
        if (m_visited.size() == maxVisited) {
            m_visited.erase(m_visited.begin());
        }
        m_visited.push_back(nodes.front());
    }
    setSelection(std::move(nodes));
    setCounterparts({});
    emit picked(m_selection);
}

void CanvasView::goBack()
{
    if (m_visited.size() < 2) {
        emit leftUpwards();
        return;
    }
    m_visited.pop_back();
    const auto previous = m_visited.back();
    pick({previous});
    reveal({previous});
}

std::optional<std::uint32_t> CanvasView::nodeAt(QPointF place) const
{
    return m_drawn ? m_drawn->index.nodeAt(m_transform.toScene(place)) : std::nullopt;
}

std::optional<std::uint32_t> CanvasView::edgeAt(QPointF place) const
{
    constexpr double reach = 6; // screen pixels
    return m_drawn && m_transform.scale >= detail::boxes
               ? m_drawn->index.edgeAt(m_drawn->scene, m_transform.toScene(place), reach / m_transform.scale)
               : std::nullopt;
}

std::optional<std::uint32_t> CanvasView::neighbour(std::uint32_t node, Step step) const
{
    const auto& index = m_drawn->index;
    const QRectF here = index.box(node);
    std::optional<std::uint32_t> best;
    double bestDistance = std::numeric_limits<double>::max();
    const auto consider = [&](std::uint32_t other, double distance) {
        if (distance < bestDistance) {
            bestDistance = distance;
            best = other;
        }
    };
    const auto distanceTo = [&](std::uint32_t other) {
        const QPointF d = index.box(other).center() - here.center();
        return std::hypot(d.x(), d.y());
    };
    switch (step) {
    case Step::Producer:
        for (const auto e : index.edgesInto(node)) {
            consider(m_drawn->scene.edges[e].from, distanceTo(m_drawn->scene.edges[e].from));
        }
        break;
    case Step::Consumer:
        for (const auto e : index.edgesOutOf(node)) {
            consider(m_drawn->scene.edges[e].to, distanceTo(m_drawn->scene.edges[e].to));
        }
        break;
    case Step::Before:
    case Step::Behind: {
        // Siblings are the boxes in the same row across the flow direction.
        const bool isDown = m_drawn->flow() == Flow::Down;
        std::vector<std::uint32_t> row;
        const QRectF all = index.bounds();
        index.nodesIn(isDown ? QRectF(all.left(), here.top(), all.width(), here.height())
                             : QRectF(here.left(), all.top(), here.width(), all.height()),
                      row);
        for (const auto other : row) {
            const QPointF d = index.box(other).center() - here.center();
            const double across = isDown ? d.x() : d.y();
            if (other != node && (step == Step::Before ? across < 0 : across > 0)) {
                consider(other, std::abs(across));
            }
        }
        break;
    }
    }
    return best;
}

void CanvasView::pickInside(const QRectF& area)
{
    std::vector<std::uint32_t> inside;
    m_drawn->index.nodesIn(m_transform.toScene(area), inside);
    std::vector<std::uint32_t> nodes;
    std::ranges::set_union(m_selection, inside, std::back_inserter(nodes));
    pick(std::move(nodes));
}

void CanvasView::walk(Step step, bool isExtending)
{
    if (!m_drawn || m_drawn->scene.nodes.empty()) {
        return;
    }
    if (m_selection.empty()) {
        // The first arrow key selects the box nearest to the upper middle of the view.
        const auto visible = visibleArea();
        std::vector<std::uint32_t> seen;
        m_drawn->index.nodesIn(visible, seen);
        const QPointF from(visible.center().x(), visible.top());
        const auto nearest = std::min_element(seen.begin(), seen.end(), [&](std::uint32_t a, std::uint32_t b) {
            return (m_drawn->index.box(a).center() - from).manhattanLength() <
                   (m_drawn->index.box(b).center() - from).manhattanLength();
        });
        pick({nearest != seen.end() ? *nearest : 0});
    } else if (const auto next = neighbour(m_current.value_or(m_selection.front()), step)) {
        auto nodes = isExtending ? m_selection : std::vector<std::uint32_t>();
        if (std::ranges::find(nodes, *next) == nodes.end()) {
            nodes.push_back(*next);
        }
        pick(std::move(nodes));
        m_current = next;
        reveal({*next});
        return;
    }
    reveal(m_selection);
}

bool CanvasView::followTag(QPointF place)
{
    if (!m_drawn || m_transform.scale < detail::titles.from) {
        return false;
    }
    const QPointF point = m_transform.toScene(place);
    std::vector<std::uint32_t> near;
    m_drawn->index.nodesIn(QRectF(point, QSizeF(0, 0)).adjusted(-box::maxWidth, -24, box::maxWidth, 24), near);
    for (const auto node : near) {
        for (const auto& tag : referenceTags(*m_drawn, node)) {
            if (tag.place.contains(point)) {
                // A tag with several targets: each click shows the next.
                auto target = tag.targets.front();
                const auto at = m_selection.size() == 1
                                    ? std::find(tag.targets.begin(), tag.targets.end(), m_selection.front())
                                    : tag.targets.end();
                if (at != tag.targets.end() && at + 1 != tag.targets.end()) {
                    target = *(at + 1);
                }
                pick({target});
                reveal({target});
                return true;
            }
        }
    }
    return false;
}

std::optional<std::uint32_t> CanvasView::foldingAt(QPointF place)
{
    if (!m_drawn) {
        return std::nullopt;
    }
    // From afar, titles of frames cover boxes.
    if (const auto node = m_transform.scale > detail::titles.from ? nodeAt(place) : std::nullopt) {
        const QRectF box = m_drawn->index.box(*node);
        const QRectF sign(box.right() - box::headerHeight, box.top(), box::headerHeight, box::headerHeight);
        return sign.contains(m_transform.toScene(place)) ? m_drawn->groupOf(*node) : std::nullopt;
    }
    ScenePicture picture;
    picture.drawn = m_drawn.get();
    picture.transform = m_transform;
    picture.view = QRectF(rect());
    return m_painter.titleAt(picture, place);
}

void CanvasView::activate(std::uint32_t node)
{
    if (const auto group = m_drawn->groupOf(node)) {
        emit groupToggled(*group);
    } else {
        emit activated(node);
    }
}

void CanvasView::hoverAt(QPointF place)
{
    std::optional<std::uint32_t> node;
    std::optional<std::uint32_t> edge;
    if (m_drawn && m_transform.scale >= detail::boxes) {
        node = nodeAt(place);
        if (!node) {
            edge = edgeAt(place);
        }
    }
    if (node != m_hoverNode || edge != m_hoverEdge) {
        m_hoverNode = node;
        m_hoverEdge = edge;
        update();
    }
    if (!m_spaceHeld) {
        setCursor(foldingAt(place) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
}

void CanvasView::placeMinimap()
{
    m_minimap->adjustPlace(contentsRect());
    m_minimap->setView(visibleArea());
}

} // namespace crosswalk::ui
