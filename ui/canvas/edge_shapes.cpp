#include "ui/canvas/edge_shapes.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

// At scale 1.
constexpr double labelTextSize = 10;
constexpr double labelHeight = 14;
constexpr double side = 4;           ///< margin left and right of the text
constexpr double labelDistance = 3;  ///< from boxes and other labels
constexpr double longestLabel = 180; ///< wider labels are left out
constexpr double repetition = 90;    ///< distance between labels of the same value

} // namespace

QPointF pointOf(std::span<const LayoutPoint> route, double share)
{
    double length = 0;
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        length += std::hypot(route[i + 1].x - route[i].x, route[i + 1].y - route[i].y);
    }
    double left = length * share;
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        const QPointF a(route[i].x, route[i].y);
        const QPointF b(route[i + 1].x, route[i + 1].y);
        const double part = std::hypot(b.x() - a.x(), b.y() - a.y());
        if (part >= left) {
            return part > 0 ? a + (b - a) * (left / part) : a;
        }
        left -= part;
    }
    return {route.back().x, route.back().y};
}

EdgeShapes::EdgeShapes(const ScenePicture& picture, TextCache& texts)
    : m_picture(picture)
    , m_texts(texts)
{
    const QRectF area =
        picture.transform.toScene(picture.view).adjusted(-longestLabel, -longestLabel, longestLabel, longestLabel);
    for (const GroupFrame& frame : picture.drawn->frames()) {
        if (const QRectF title = titlePlace(frame); title.intersects(area)) {
            m_titles.push_back(title);
        }
    }
}

bool EdgeShapes::areShown(const ScenePicture& picture)
{
    return picture.edgeShape && picture.transform.scale > detail::shapes.from;
}

bool EdgeShapes::isFree(const QRectF& place)
{
    const QRectF around = place.adjusted(-labelDistance, -labelDistance, labelDistance, labelDistance);
    m_picture.drawn->index.nodesIn(around, m_nodes);
    if (m_picture.marks != nullptr && !m_picture.marks->badges.empty() && m_nodes.empty()) {
        m_picture.drawn->index.nodesIn(around.adjusted(0, 0, 0, badgeRoom), m_nodes);
        std::erase_if(m_nodes, [this](std::uint32_t node) { return !m_picture.marks->badges.contains(node); });
    }
    return m_nodes.empty() &&
           std::ranges::none_of(m_titles, [&](const QRectF& title) { return title.intersects(around); });
}

const EdgeShapes::Label& EdgeShapes::wanted(std::uint32_t edge)
{
    const auto [found, isNew] = m_wanted.try_emplace(edge);
    Label& label = found->second;
    const auto& route = m_picture.drawn->scene.layout.routes[edge];
    if (!isNew || route.size() < 2) {
        return label;
    }
    const QByteArray shape = m_picture.edgeShape(edge).toUtf8();
    if (shape.isEmpty()) {
        return label;
    }
    const ShapedText text =
        m_texts.shaped({shape.data(), static_cast<std::size_t>(shape.size())}, labelTextSize, false);
    const QSizeF size(text.width + 2 * side, labelHeight);
    if (size.width() > longestLabel) {
        return label;
    }
    for (const double share : {0.5, 0.35, 0.65, 0.2, 0.8}) {
        const QRectF place(pointOf(route, share) - QPointF(size.width() / 2, size.height() / 2), size);
        if (isFree(place)) {
            label = {text, place};
            break;
        }
    }
    return label;
}

std::optional<QRectF> EdgeShapes::placeOf(std::uint32_t edge)
{
    const Label label = wanted(edge);
    if (!label.text) {
        return std::nullopt;
    }
    // An earlier edge nearby has precedence, whether its own label is shown or not: otherwise distant edges would
    // matter, too.
    const ValueId value = m_picture.drawn->scene.edges[edge].value;
    const QRectF around = label.place.adjusted(-repetition, -repetition, repetition, repetition);
    std::vector<std::uint32_t> near;
    m_picture.drawn->index.edgesIn(around.adjusted(-longestLabel / 2, -labelHeight, longestLabel / 2, labelHeight),
                                   near);
    for (const std::uint32_t other : near) {
        if (other >= edge) {
            break;
        }
        const Label& before = wanted(other);
        const bool isSame = m_picture.drawn->scene.edges[other].value == value;
        const QRectF room =
            isSame ? around : label.place.adjusted(-labelDistance, -labelDistance, labelDistance, labelDistance);
        if (before.text && before.place.intersects(room)) {
            return std::nullopt;
        }
    }
    return label.place;
}

void EdgeShapes::paint(QPainter& painter, std::uint32_t edge)
{
    const auto place = placeOf(edge);
    if (!place) {
        return;
    }
    const double scale = m_picture.transform.scale;
    const QRectF shown = m_picture.transform.toView(*place);
    const double opacity = painter.opacity();
    painter.setOpacity(opacity * detail::fade(scale, detail::shapes));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_picture.theme->canvas);
    painter.drawRoundedRect(shown, side * scale, side * scale);
    TextCache::draw(painter, *wanted(edge).text, {shown.left() + side * scale, shown.center().y()}, scale,
                    m_picture.theme->mutedText);
    painter.setOpacity(opacity);
}

void paintEdgeShapes(QPainter& painter, const ScenePicture& picture, TextCache& texts)
{
    if (!EdgeShapes::areShown(picture)) {
        return;
    }
    EdgeShapes shapes(picture, texts);
    std::vector<std::uint32_t> edges;
    const QRectF area = picture.transform.toScene(picture.view);
    picture.drawn->index.edgesIn(area.adjusted(-longestLabel / 2, -labelHeight, longestLabel / 2, labelHeight), edges);
    for (const std::uint32_t edge : edges) {
        const SceneEdge& ends = picture.drawn->scene.edges[edge];
        const bool isDimmed =
            picture.marks != nullptr && picture.marks->isDimmed(ends.from) && picture.marks->isDimmed(ends.to);
        if (!isDimmed) {
            shapes.paint(painter, edge);
        }
    }
}

} // namespace crosswalk::ui
