#include "ui/canvas/scene_painter.h"

#include "ui/canvas/edge_painter.h"
#include "ui/canvas/edge_shapes.h"
#include "ui/canvas/frame_painter.h"
#include "ui/canvas/node_painter.h"
#include "ui/canvas/reference_tags.h"

#include <QPaintEngine>
#include <QPixmap>

#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr double dotGap = 28;   ///< spacing of the canvas' dot grid, at scale 1
constexpr double dotSize = 1.5; ///< at any scale

/// Calls `paint` with the positions of the dots from `begin` to `end`; `origin` is one of the grid's positions.
template <typename Paint>
void forEachDot(double begin, double end, double origin, double step, Paint paint)
{
    const auto last = static_cast<std::int64_t>(std::floor((end - origin) / step));
    for (auto i = static_cast<std::int64_t>(std::ceil((begin - origin) / step)); i <= last; ++i) {
        paint(origin + static_cast<double>(i) * step);
    }
}

/// All rows are alike, so one is rendered and copied: Qt strokes the points of a path one by one, and thousands of them
/// took half of a frame. Vector pictures omit the dots, since each would be an object.
void paintDots(QPainter& painter, const ScenePicture& picture)
{
    const double alpha = detail::fade(picture.transform.scale, 0.45, 0.8);
    if (alpha <= 0 || painter.paintEngine()->type() != QPaintEngine::Raster) {
        return;
    }
    QColor color = picture.theme->dots;
    color.setAlphaF(static_cast<float>(color.alphaF() * alpha));
    const double step = dotGap * picture.transform.scale;
    const QPointF origin = picture.transform.toView(QPointF(0, 0));
    const QRectF& view = picture.view;
    const double ratio = painter.device()->devicePixelRatioF();
    const int side = static_cast<int>(std::lround(dotSize * ratio));
    // In whole device pixels: all dots have the same size.
    const auto pixel = [ratio, side](double place) { return static_cast<int>(std::lround(place * ratio)) - side / 2; };
    const int left = static_cast<int>(std::floor(view.left() * ratio));
    QPixmap row(static_cast<int>(std::ceil(view.width() * ratio)) + 1, side);
    row.fill(Qt::transparent);
    QPainter dots(&row);
    forEachDot(view.left() - dotSize, view.right() + dotSize, origin.x(), step,
               [&](double x) { dots.fillRect(pixel(x) - left, 0, side, side, color); });
    dots.end();
    row.setDevicePixelRatio(ratio);
    forEachDot(view.top() - dotSize, view.bottom() + dotSize, origin.y(), step,
               [&](double y) { painter.drawPixmap(QPointF(left / ratio, pixel(y) / ratio), row); });
}

} // namespace

void ScenePainter::paint(QPainter& painter, const ScenePicture& picture)
{
    paintGraph(painter, picture);
    paintOverlay(painter, picture);
}

void ScenePainter::paintGraph(QPainter& painter, const ScenePicture& picture)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.fillRect(picture.view, picture.theme->canvas);
    if (!picture.drawn) {
        return;
    }
    if (picture.transform.scale < detail::boxes) {
        paintFar(painter, picture);
    } else {
        paintNear(painter, picture);
    }
}

void ScenePainter::paintOverlay(QPainter& painter, const ScenePicture& picture)
{
    painter.setRenderHint(QPainter::Antialiasing);
    if (!picture.drawn) {
        return;
    }
    if (picture.transform.scale >= detail::boxes) {
        paintLitEdges(painter, picture, m_texts);
    }
    paintFrames(painter, picture);
    paintBookmarks(painter, picture);
}

std::optional<std::uint32_t> ScenePainter::titleAt(const ScenePicture& picture, QPointF place)
{
    return groupTitleAt(picture, m_texts, place);
}

void ScenePainter::paintFar(QPainter& painter, const ScenePicture& picture)
{
    paintGroupGrounds(painter, picture);
    paintGroupLines(painter, picture);
    const QRectF world = picture.transform.toScene(picture.view);
    const Occupancy& cells = picture.cells != nullptr ? *picture.cells : picture.drawn->occupancy;
    cells.paint(painter, world, picture.view, *picture.theme);
    paintGroupTitles(painter, picture, m_texts);
    paintAlarms(painter, picture);
}

void ScenePainter::paintNear(QPainter& painter, const ScenePicture& picture)
{
    paintGroupGrounds(painter, picture);
    paintDots(painter, picture);
    paintGroupLines(painter, picture);
    // Badges, tags and arrows extend beyond their boxes.
    const QRectF area = picture.transform.toScene(picture.view).adjusted(-24, -24, 24, 24);
    picture.drawn->index.nodesIn(area, m_nodes);
    picture.drawn->index.edgesIn(area, m_edges);
    paintEdges(painter, picture, m_edges);
    if (picture.transform.scale < detail::titles.from) {
        paintBlocks(painter, picture, m_nodes);
        paintTitles(painter, picture, m_texts, m_nodes);
        paintGroupTitles(painter, picture, m_texts);
        paintAlarms(painter, picture);
        return;
    }
    paintEdgeShapes(painter, picture, m_texts);
    paintGroupTitles(painter, picture, m_texts);
    for (const auto node : m_nodes) {
        paintNode(painter, picture, m_texts, node);
        paintTags(painter, picture, m_texts, node);
    }
    if (picture.transform.scale <= detail::icons) {
        paintAlarms(painter, picture);
    }
}

void ScenePainter::paintAlarms(QPainter& painter, const ScenePicture& picture)
{
    if (!picture.marks || picture.marks->alarms.empty()) {
        return;
    }
    // Thousands of alarms may fall on the same few pixels: paint one marker per cell of 6 pixels.
    constexpr double grain = 6;
    const int columns = static_cast<int>(picture.view.width() / grain) + 2;
    const int rows = static_cast<int>(picture.view.height() / grain) + 2;
    std::vector<bool> taken(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    painter.setPen(Qt::NoPen);
    const QList<QRectF> titles = groupTitlePlaces(picture, m_texts);
    // On a corner of a box whose name is visible, next to the title of a frame.
    const bool hasNames = picture.transform.scale >= detail::boxes && titleAlpha(picture) > 0;
    for (const auto node : picture.marks->alarms) {
        const QRectF r = picture.transform.toView(picture.drawn->index.box(node));
        if (!r.intersects(picture.view)) {
            continue;
        }
        const double half = std::clamp(std::min(r.width(), r.height()) * 0.3, 3.5, 5.0);
        QPointF c = hasNames ? r.topRight() : r.center();
        for (const QRectF& title : titles) {
            if (title.adjusted(-half, -half, half, half).contains(c)) {
                c.setX(title.right() + half + 2);
            }
        }
        const QPointF middle = c - picture.view.topLeft();
        const int column = std::clamp(static_cast<int>(middle.x() / grain), 0, columns - 1);
        const int row = std::clamp(static_cast<int>(middle.y() / grain), 0, rows - 1);
        const auto cell =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
        if (taken[cell]) {
            continue;
        }
        taken[cell] = true;
        const Verdict verdict = picture.marks->verdicts[node];
        painter.setBrush(picture.theme->verdict(verdict));
        if (verdict == Verdict::Unsupported) {
            painter.drawRect(QRectF(c - QPointF(half, half), QSizeF(2 * half, 2 * half)));
        } else {
            painter.drawPolygon(QPolygonF({c + QPointF(0, -half), c + QPointF(half, half), c + QPointF(-half, half)}));
        }
    }
}

} // namespace crosswalk::ui
