#include "ui/canvas/transition.h"

#include <QPainter>

#include <algorithm>
#include <limits>
#include <map>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxBoxes = 1500;
constexpr std::uint32_t notFound = std::numeric_limits<std::uint32_t>::max();

/// The position of a box of `own` in the other drawing, in the coordinates of `own`.
QPointF placeInOther(const DrawnScene& own, std::uint32_t box, const DrawnScene& other, const SameBoxes& toOther,
                     QPointF fromOther)
{
    const QRectF here = own.index.box(box);
    const auto same = toOther.now(own.firstMember(box));
    if (!same) {
        return here.topLeft();
    }
    const auto as = other.drawnAs(*same);
    const QRectF there = other.index.box(as).translated(fromOther);
    if (const auto group = own.groupOf(box); group && own.groups() == other.groups()) {
        // A group that opens becomes the frame around its contents.
        const auto frame = other.placeOf(*group);
        return frame ? frame->topLeft() + fromOther : there.topLeft();
    }
    const auto group = other.groupOf(as);
    if (!group) {
        return there.topLeft();
    }
    // The contents of a closing group keep their relative positions, scaled down.
    const auto frame = own.groups() == other.groups() ? own.placeOf(*group) : std::nullopt;
    QPointF middle = there.center();
    if (frame && !frame->isEmpty()) {
        const QPointF in = here.center() - frame->topLeft();
        middle = there.topLeft() +
                 QPointF(in.x() / frame->width() * there.width(), in.y() / frame->height() * there.height());
    }
    return middle - QPointF(here.width(), here.height()) / 2;
}

std::uint32_t numberIn(const std::vector<std::uint32_t>& boxes, std::uint32_t box)
{
    const auto found = std::lower_bound(boxes.begin(), boxes.end(), box);
    return found != boxes.end() && *found == box ? static_cast<std::uint32_t>(found - boxes.begin()) : notFound;
}

std::vector<std::uint32_t> numbersIn(const std::vector<std::uint32_t>& boxes, std::span<const std::uint32_t> some)
{
    std::vector<std::uint32_t> numbers;
    for (const auto box : some) {
        if (const auto number = numberIn(boxes, box); number != notFound) {
            numbers.push_back(number);
        }
    }
    return numbers;
}

std::optional<SceneMarks> marksFor(const SceneMarks* marks, const std::vector<std::uint32_t>& boxes)
{
    if (marks == nullptr) {
        return std::nullopt;
    }
    SceneMarks some;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        some.verdicts.push_back(boxes[i] < marks->verdicts.size() ? marks->verdicts[boxes[i]] : Verdict::Exact);
        if (boxes[i] < marks->errors.size()) {
            some.errors.push_back(marks->errors[boxes[i]]);
        }
        if (boxes[i] < marks->tints.size()) {
            some.tints.push_back(marks->tints[boxes[i]]);
        }
        if (!marks->blocked.empty()) {
            some.blocked.push_back(marks->isBlocked(boxes[i]));
        }
        if (!marks->dimmed.empty()) {
            some.dimmed.push_back(marks->isDimmed(boxes[i]));
        }
        if (const auto badges = marks->badges.find(boxes[i]); badges != marks->badges.end()) {
            some.badges.emplace(i, badges->second);
        }
    }
    some.alarms = numbersIn(boxes, marks->alarms);
    return some;
}

LayoutPoint moved(LayoutPoint point, QPointF by)
{
    return {point.x + static_cast<float>(by.x()), point.y + static_cast<float>(by.y())};
}

} // namespace

Transition::Transition(Drawing before, std::shared_ptr<const SceneMarks> marksBefore, Drawing now,
                       const SameBoxes& same, QPointF shift, const QRectF& seen)
    : m_before(castOf(before, now, same, shift, seen, seen.translated(shift)))
    , m_now(castOf(now, before, same.turned(), {}, seen.translated(shift), seen))
    , m_marksBefore(std::move(marksBefore))
{
    addFrames(m_before, *now, shift, seen);
    addFrames(m_now, *before, -shift, seen.translated(shift));
}

bool Transition::isPossible(double scale) const
{
    const auto isFine = [&](const Cast& cast) {
        const bool isSmall = cast.drawn->scene.nodes.size() <= detail::fewBoxes;
        return cast.boxes.size() <= maxBoxes && scale >= (isSmall ? detail::boxes : detail::titles.from + 0.1);
    };
    return isFine(m_before) && isFine(m_now);
}

Transition::Cast Transition::castOf(const Drawing& own, const Drawing& other, const SameBoxes& toOther, QPointF shift,
                                    const QRectF& seen, const QRectF& seenByOther)
{
    Cast cast{own, shift, {}, {}, {}, {}};
    own->index.nodesIn(seen, cast.boxes);
    std::vector<std::uint32_t> inOther;
    other->index.nodesIn(seenByOther, inOther);
    const SameBoxes back = toOther.turned();
    for (const auto box : inOther) {
        if (const auto same = back.now(other->firstMember(box))) {
            cast.boxes.push_back(own->drawnAs(*same));
        }
    }
    makeUnique(cast.boxes);
    if (cast.boxes.size() > maxBoxes) {
        return cast;
    }
    own->index.edgesIn(seen, cast.edges);
    for (const auto box : cast.boxes) {
        for (const auto& edges : {own->index.edgesInto(box), own->index.edgesOutOf(box)}) {
            cast.edges.insert(cast.edges.end(), edges.begin(), edges.end());
        }
    }
    makeUnique(cast.edges);
    for (const auto e : cast.edges) {
        cast.boxes.push_back(own->scene.edges[e].from);
        cast.boxes.push_back(own->scene.edges[e].to);
    }
    makeUnique(cast.boxes);
    if (cast.boxes.size() > maxBoxes) {
        return cast;
    }
    const QPointF fromOther = seen.topLeft() - seenByOther.topLeft();
    for (const auto box : cast.boxes) {
        cast.away.push_back(placeInOther(*own, box, *other, toOther, fromOther) - own->index.box(box).topLeft());
    }
    return cast;
}

void Transition::addFrames(Cast& cast, const DrawnScene& other, QPointF toOther, const QRectF& seen)
{
    const bool isFolding = cast.drawn->groups() == other.groups();
    std::map<std::string_view, std::pair<int, QRectF>> byTitle;
    if (!isFolding) {
        for (const GroupFrame& frame : other.frames()) {
            auto& [count, place] = byTitle[frame.title];
            ++count;
            place = QRectF(frame.at.x, frame.at.y, frame.width, frame.height);
        }
    }
    for (const GroupFrame& frame : cast.drawn->frames()) {
        const QRectF here(frame.at.x, frame.at.y, frame.width, frame.height);
        if (!here.intersects(seen)) {
            continue;
        }
        QRectF place = here;
        if (const auto found = byTitle.find(frame.title); found != byTitle.end() && found->second.first == 1) {
            place = found->second.second.translated(-toOther);
        } else if (isFolding) {
            const auto there = other.placeOf(frame.group);
            place = there ? there->translated(-toOther) : here;
        }
        cast.frames.emplace_back(frame, place);
    }
}

void Transition::paintCast(const Cast& cast, double share, QPainter& painter, ScenePainter& scenePainter,
                           ScenePicture picture)
{
    const DrawnScene& own = *cast.drawn;
    FoldedScene between;
    between.flow = own.flow();
    const bool isDown = own.flow() == Flow::Down;
    const auto byShare = [&](std::uint32_t box) { return cast.away[numberIn(cast.boxes, box)] * share; };
    for (std::size_t i = 0; i < cast.boxes.size(); ++i) {
        const auto box = cast.boxes[i];
        between.scene.nodes.push_back(own.scene.nodes[box]);
        between.scene.layout.positions.push_back(
            moved(own.scene.layout.positions[box], cast.shift + cast.away[i] * share));
        between.boxOf.push_back(static_cast<std::uint32_t>(i));
        between.groupOf.push_back(own.groupOf(box).value_or(SceneGroup::none));
    }
    for (const auto e : cast.edges) {
        const SceneEdge& edge = own.scene.edges[e];
        between.scene.edges.push_back({numberIn(cast.boxes, edge.from), numberIn(cast.boxes, edge.to), edge.value,
                                       edge.isControl, edge.closesLoop});
        // A line stays attached to both boxes: each of its points moves with the nearer end.
        auto route = own.scene.layout.routes[e];
        const QPointF from = byShare(edge.from);
        const QPointF to = byShare(edge.to);
        const auto depth = [&](const LayoutPoint& point) { return double{isDown ? point.y : point.x}; };
        const double start = route.empty() ? 0 : depth(route.front());
        const double length = route.empty() ? 0 : depth(route.back()) - start;
        for (LayoutPoint& point : route) {
            const double along = length > 0 ? (depth(point) - start) / length : 0;
            point = moved(point, cast.shift + from * (1 - along) + to * along);
        }
        between.scene.layout.routes.push_back(std::move(route));
    }
    for (const auto& [frame, there] : cast.frames) {
        GroupFrame here = frame;
        const QRectF place(frame.at.x, frame.at.y, frame.width, frame.height);
        here.at = moved(frame.at, cast.shift + (there.topLeft() - place.topLeft()) * share);
        here.width += static_cast<float>((there.width() - place.width()) * share);
        here.height += static_cast<float>((there.height() - place.height()) * share);
        between.frames.push_back(std::move(here));
    }
    const DrawnScene drawn(std::move(between), own.groups());
    const auto marks = marksFor(picture.marks, cast.boxes);
    const auto selected = numbersIn(cast.boxes, picture.selected);
    const auto counterparts = numbersIn(cast.boxes, picture.counterparts);
    picture.drawn = &drawn;
    picture.marks = marks ? &*marks : nullptr;
    picture.selected = selected;
    picture.counterparts = counterparts;
    picture.hoverNode.reset();
    picture.hoverEdge.reset();
    picture.edgeLabel = nullptr;
    picture.edgeShape = nullptr;
    scenePainter.paint(painter, picture);
}

void Transition::paint(QPainter& painter, ScenePainter& scenePainter, ScenePicture picture, double share)
{
    paintCast(m_now, 1 - share, painter, scenePainter, picture);
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize size = (picture.view.size() * ratio).toSize();
    if (m_layer.size() != size) {
        m_layer = QPixmap(size);
        m_layer.setDevicePixelRatio(ratio);
    }
    {
        QPainter layer(&m_layer);
        picture.marks = m_marksBefore.get();
        picture.selected = {};
        picture.counterparts = {};
        paintCast(m_before, share, layer, scenePainter, picture);
    }
    painter.setOpacity(1 - share);
    painter.drawPixmap(picture.view.topLeft(), m_layer);
    painter.setOpacity(1);
}

} // namespace crosswalk::ui
