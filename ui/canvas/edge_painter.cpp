#include "ui/canvas/edge_painter.h"

#include "ui/canvas/edge_shapes.h"
#include "ui/canvas/frame_painter.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr double cornerRadius = 14;
constexpr std::size_t maxLabels = 10;
constexpr std::size_t maxLit = 400;
constexpr std::size_t maxTagLines = 12; ///< for targets outside the view
constexpr double loopWidth = 1.4;       ///< width of a line that leads back, relative to others
const QList<qreal> controlDashes{3, 2.5};

QPointF towards(QPointF from, QPointF to, double distance)
{
    const QPointF d = to - from;
    const double length = std::hypot(d.x(), d.y());
    return length > 0 ? from + d * (distance / length) : from;
}

QPainterPath roundedPath(const ViewTransform& transform, std::span<const LayoutPoint> route)
{
    const auto at = [&](std::size_t i) { return transform.toView(QPointF(route[i].x, route[i].y)); };
    QPainterPath path(at(0));
    for (std::size_t i = 1; i + 1 < route.size(); ++i) {
        const QPointF corner = at(i);
        const QPointF before = at(i - 1);
        const QPointF after = at(i + 1);
        const double room = std::min(std::hypot(corner.x() - before.x(), corner.y() - before.y()),
                                     std::hypot(after.x() - corner.x(), after.y() - corner.y())) /
                            2;
        const double r = std::min(cornerRadius * transform.scale, room);
        path.lineTo(towards(corner, before, r));
        path.quadTo(corner, towards(corner, after, r));
    }
    path.lineTo(at(route.size() - 1));
    return path;
}

void paintArrow(QPainter& painter, QPointF from, QPointF tip, double size, const QColor& color)
{
    const QPointF back = towards(tip, from, size);
    const QPointF side = (tip - back) * 0.45;
    const QPointF normal(-side.y(), side.x());
    const QPolygonF head({tip, back + normal, back - normal});
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(head);
}

void paintThin(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> edges)
{
    QList<QLineF> lines;
    QList<QLineF> loops;
    const Scene& scene = picture.drawn->scene;
    for (const auto e : edges) {
        const auto& route = scene.layout.routes[e];
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            (scene.edges[e].closesLoop ? loops : lines)
                .append({picture.transform.toView(QPointF(route[i].x, route[i].y)),
                         picture.transform.toView(QPointF(route[i + 1].x, route[i + 1].y))});
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(mix(picture.theme->canvas, picture.theme->edge, 0.75), 0));
    painter.drawLines(lines);
    painter.setPen(QPen(picture.theme->edgeLoop, 0));
    painter.drawLines(loops);
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void paintRouted(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> edges,
                 const QColor& color, double width, bool isLit)
{
    for (const auto e : edges) {
        const auto& route = picture.drawn->scene.layout.routes[e];
        if (route.size() < 2) {
            continue;
        }
        const SceneEdge& edge = picture.drawn->scene.edges[e];
        const QColor& own = edge.closesLoop && !isLit ? picture.theme->edgeLoop : color;
        QPen pen(own, edge.closesLoop ? width * loopWidth : width);
        if (edge.isControl) {
            pen.setDashPattern(controlDashes);
        }
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        if (route.size() == 2) {
            painter.drawLine(picture.transform.toView(QPointF(route[0].x, route[0].y)),
                             picture.transform.toView(QPointF(route[1].x, route[1].y)));
        } else {
            painter.drawPath(roundedPath(picture.transform, route));
        }
        const auto& last = route.back();
        const auto& before = route[route.size() - 2];
        paintArrow(painter, picture.transform.toView(QPointF(before.x, before.y)),
                   picture.transform.toView(QPointF(last.x, last.y)), 4 + 4 * picture.transform.scale, own);
    }
}

std::vector<std::uint32_t> litEdges(const ScenePicture& picture)
{
    std::vector<std::uint32_t> lit;
    const auto addNode = [&](std::uint32_t node) {
        for (const auto& edges : {picture.drawn->index.edgesInto(node), picture.drawn->index.edgesOutOf(node)}) {
            lit.insert(lit.end(), edges.begin(),
                       edges.begin() + static_cast<std::ptrdiff_t>(std::min(edges.size(), maxLit)));
        }
    };
    if (picture.selected.size() == 1) {
        addNode(picture.selected.front());
    }
    if (picture.hoverNode) {
        addNode(*picture.hoverNode);
    }
    if (picture.hoverEdge) {
        lit.push_back(*picture.hoverEdge);
    }
    std::sort(lit.begin(), lit.end());
    lit.erase(std::unique(lit.begin(), lit.end()), lit.end());
    return lit;
}

QRectF pillAt(QPointF middle, const ShapedText& text, double factor)
{
    const QSizeF size((text.width + 12) * factor, 17 * factor);
    return {middle - QPointF(size.width() / 2, size.height() / 2), size};
}

/// A position on the route where a label covers no other label; nothing if there is none. Preferably that of the
/// shape below it, which it covers.
std::optional<QRectF> freePlace(const ScenePicture& picture, std::span<const LayoutPoint> route, const ShapedText& text,
                                double factor, const QList<QRectF>& taken, std::optional<QRectF> shape)
{
    std::vector<QPointF> places;
    if (shape) {
        places.push_back(shape->center());
    }
    for (const double share : {0.5, 0.35, 0.65, 0.2, 0.8}) {
        places.push_back(pointOf(route, share));
    }
    for (const QPointF place : places) {
        const QRectF pill = pillAt(picture.transform.toView(place), text, factor);
        if (std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(pill); })) {
            return pill;
        }
    }
    return std::nullopt;
}

void paintPill(QPainter& painter, const ScenePicture& picture, const ShapedText& text, const QRectF& pill,
               double factor, const QColor& ground, const QColor& color)
{
    painter.setPen(QPen(picture.theme->nodeLine, 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    TextCache::draw(painter, text, {pill.left() + 6 * factor, pill.center().y()}, factor, color);
}

} // namespace

void paintEdges(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> edges)
{
    if (picture.transform.scale < detail::titles.from) {
        paintThin(painter, picture, edges);
    } else {
        const double width = std::clamp(1.3 * picture.transform.scale, 0.8, 2.0);
        paintRouted(painter, picture, edges, picture.theme->edge, width, false);
    }
}

void paintLitEdges(QPainter& painter, const ScenePicture& picture, TextCache& texts)
{
    const auto lit = litEdges(picture);
    if (lit.empty()) {
        return;
    }
    const auto& scene = picture.drawn->scene;
    const QColor color = picture.theme->edgeLit;
    paintRouted(painter, picture, lit, color, std::clamp(2.0 * picture.transform.scale, 1.4, 3.0), true);
    QPen dashed(color, 1.4);
    dashed.setDashPattern({5, 4});
    const auto isTag = [&](std::uint32_t e) { return scene.layout.routes[e].empty(); };
    // Edges of a hub overlap: label only those that the eye can follow from end to end.
    const bool areMany = static_cast<std::size_t>(std::ranges::count_if(lit, isTag)) > maxTagLines;
    for (const auto e : lit) {
        if (isTag(e)) {
            const QRectF from = picture.transform.toView(picture.drawn->index.box(scene.edges[e].from));
            const QRectF to = picture.transform.toView(picture.drawn->index.box(scene.edges[e].to));
            if (areMany && !(picture.view.intersects(from) && picture.view.intersects(to))) {
                continue;
            }
            painter.setPen(dashed);
            if (picture.drawn->flow() == Flow::Down) {
                painter.drawLine(QPointF(from.center().x(), from.bottom()), QPointF(to.center().x(), to.top()));
            } else {
                painter.drawLine(QPointF(from.right(), from.center().y()), QPointF(to.left(), to.center().y()));
            }
        }
    }
    std::optional<EdgeShapes> shapes;
    if (EdgeShapes::areShown(picture)) {
        shapes.emplace(picture, texts);
    }
    const bool hasLabels = picture.edgeLabel && picture.transform.scale >= 0.5 && lit.size() <= maxLabels;
    if (!hasLabels) {
        for (const auto e : lit) {
            if (shapes) {
                shapes->paint(painter, e); // the lit line crosses it
            }
        }
        return;
    }
    const double factor = picture.transform.scale;
    QList<QRectF> taken = groupTitlePlaces(picture, texts);
    for (const auto node : picture.selected) {
        if (picture.marks != nullptr && picture.marks->badges.contains(node)) {
            const QRectF r = picture.transform.toView(picture.drawn->index.box(node));
            taken.append(QRectF(r.left(), r.top() - badgeRoom * factor, r.width(), badgeRoom * factor));
        }
    }
    for (const auto e : lit) {
        const QByteArray label = picture.edgeLabel(e).toUtf8();
        const auto& route = scene.layout.routes[e];
        if (!label.isEmpty() && route.size() > 1) {
            const ShapedText text = texts.shaped({label.data(), static_cast<std::size_t>(label.size())}, 11, false);
            QList<QRectF> keepOut = taken;
            if (picture.drawn->flow() == Flow::Right) { // the gap is short and the label wide
                for (const auto end : {scene.edges[e].from, scene.edges[e].to}) {
                    keepOut.append(picture.transform.toView(picture.drawn->index.box(end)));
                }
            }
            const auto shape = shapes ? shapes->placeOf(e) : std::nullopt;
            const auto pill = freePlace(picture, route, text, factor, keepOut, shape);
            const QRectF below = shape ? picture.transform.toView(*shape) : QRectF();
            if (pill && (pill->contains(below) || !pill->intersects(below))) {
                paintPill(painter, picture, text, *pill, factor, picture.theme->nodeBody, picture.theme->nodeText);
                taken.append(*pill);
            } else if (shapes) {
                shapes->paint(painter, e);
            }
        }
    }
}

} // namespace crosswalk::ui
