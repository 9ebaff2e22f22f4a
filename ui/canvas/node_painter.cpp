#include "ui/canvas/node_painter.h"

#include "ui/canvas/frame_painter.h"
#include "ui/models/box_title.h"
#include "ui/theme/icons.h"
#include "ui/theme/readable_colour.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>

namespace crosswalk::ui {
namespace {

constexpr double stripeWidth = 5;
constexpr double frameRoom = 6;
constexpr double frameReach = 5;  ///< screen pixels of a selection frame around a box, at any scale
constexpr double alarmReach = 6;  ///< screen pixels of an alarm on a box's corner
constexpr double minBadge = 0.65; ///< minimum scale of badges

constexpr double minTitle = 8;       ///< screen pixels of titles that are alone in the box, at any scale
constexpr double dimmedShare = 0.25; ///< share of the colour of dimmed boxes
constexpr double minRoom = 14;       ///< minimum width in pixels for text

/// How far header and body are separated, 0 to 1. This completes before the rows appear: the title would cross them.
double headerParts(double scale)
{
    return detail::fade(scale, detail::headers);
}

Verdict verdictOf(const ScenePicture& picture, std::uint32_t node)
{
    return picture.marks && node < picture.marks->verdicts.size() ? picture.marks->verdicts[node] : Verdict::Exact;
}

const HeaderColors& tintOf(const ScenePicture& picture, std::uint32_t node)
{
    return picture.marks && node < picture.marks->tints.size()
               ? picture.theme->tint(picture.marks->tints[node])
               : picture.theme->category(picture.drawn->scene.nodes[node].category);
}

/// From afar the whole box has the category's tint; header and body separate as the rows appear.
QColor headerGround(const ScenePicture& picture, const HeaderColors& tint)
{
    return mix(tint.block, tint.header, detail::fade(picture.transform.scale, detail::titles.from, 0.5));
}

QPainterPath stripePath(const QRectF& r, double width, double radius)
{
    QPainterPath path(QPointF(r.left() + width, r.top()));
    path.lineTo(r.left() + width, r.bottom());
    path.quadTo(r.bottomLeft(), QPointF(r.left(), r.bottom() - radius));
    path.lineTo(r.left(), r.top() + radius);
    path.quadTo(r.topLeft(), QPointF(r.left() + width, r.top()));
    return path;
}

/// The part of a rounded box below its header.
QPainterPath bodyPath(const QRectF& r, double header, double radius)
{
    QPainterPath path(QPointF(r.left(), r.top() + header));
    path.lineTo(r.right(), r.top() + header);
    path.lineTo(r.right(), r.bottom() - radius);
    path.quadTo(r.bottomRight(), QPointF(r.right() - radius, r.bottom()));
    path.lineTo(r.left() + radius, r.bottom());
    path.quadTo(r.bottomLeft(), QPointF(r.left(), r.bottom() - radius));
    path.closeSubpath();
    return path;
}

QColor faded(QColor color, double share)
{
    color.setAlphaF(static_cast<float>(color.alphaF() * share));
    return color;
}

void paintBody(QPainter& painter, const ScenePicture& picture, const QRectF& r, std::uint32_t i, Verdict verdict)
{
    const Theme& theme = *picture.theme;
    const double scale = picture.transform.scale;
    const auto& tint = tintOf(picture, i);
    const QColor header = headerGround(picture, tint);
    const double parted = headerParts(scale);
    const QColor body = mix(header, theme.nodeBody, parted);
    const bool alarming = verdict == Verdict::Unsupported || verdict == Verdict::Approximate;
    const QColor line = alarming ? theme.verdict(verdict)
                                 : mix(tint.block, theme.nodeLine, detail::fade(scale, detail::titles.from, 0.5));
    QPen pen(line, alarming ? 1.6 : 1.0);
    if (verdict == Verdict::Folded) {
        const bool isBlocked = picture.marks != nullptr && picture.marks->isBlocked(i);
        pen.setDashPattern(isBlocked ? QList<qreal>{1.2, 2.4} : QList<qreal>{4, 3});
        pen.setWidthF(isBlocked ? 1.6 : 1.0);
        pen.setColor(isBlocked ? theme.tint(Tint::Blocked).block : theme.folded);
    }
    const double radius = box::radius * scale;
    const double headerHeight = box::headerHeight * scale;
    painter.setPen(Qt::NoPen);
    painter.setBrush(header);
    painter.drawRoundedRect(r, radius, radius);
    if (parted > 0 && r.height() > headerHeight + 1) {
        painter.fillPath(bodyPath(r, headerHeight, radius), body);
    }
    if (const QColor stripe = theme.verdict(verdict); stripe.isValid() && verdict != Verdict::Folded) {
        painter.fillPath(stripePath(r, std::max(2.0, stripeWidth * scale), radius), stripe);
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(r, radius, radius);
}

/// Paints the operator's name: in the header if all details are shown, otherwise larger and in the middle of the box,
/// to be readable from further away.
void paintTitle(QPainter& painter, const ScenePicture& picture, TextCache& texts, const QRectF& r, std::uint32_t i,
                bool hasIcon)
{
    const SceneNode& node = picture.drawn->scene.nodes[i];
    const double scale = picture.transform.scale;
    const double alone = 1 - headerParts(scale);
    const double side = (box::padding + (hasIcon ? box::iconSize : 0) * (1 - alone)) * scale;
    const double room = r.width() - box::padding * scale - side;
    // All titles of a view have one size; longer ones are elided. For a stack of blocks, the number at the end is the
    // most important part.
    const double size = std::max(scale, minTitle / box::titleSize * alone);
    const bool hasOperator = node.kind == SceneNode::Kind::Operator || node.kind == SceneNode::Kind::Group;
    const std::string title = hasOperator ? node.title : boxTitle(node).toStdString();
    ShapedText text = texts.shaped(title, box::titleSize, true);
    if (text.width * size > room + 1) {
        if (room < minRoom) {
            return;
        }
        const auto elide = node.kind == SceneNode::Kind::Group ? TextElide::Middle : TextElide::End;
        text = texts.shaped(title, box::titleSize, true, elide, std::floor(room / size));
    }
    const double drawn = std::min(size, r.height() * 0.9 / text.height);
    const double inHeader = r.top() + box::headerHeight / 2 * scale;
    const double middle = inHeader + (r.center().y() - inHeader) * alone;
    const double left = r.left() + box::padding * scale;
    const double centred = r.center().x() - text.width * drawn / 2;
    const HeaderColors& tint = tintOf(picture, i);
    const QColor color = readableOn(headerGround(picture, tint), tint.headerText);
    TextCache::draw(painter, text, {left + (centred - left) * alone, middle}, drawn, faded(color, titleAlpha(picture)));
}

void paintRows(QPainter& painter, const ScenePicture& picture, TextCache& texts, const QRectF& r, const SceneNode& node)
{
    const Theme& theme = *picture.theme;
    const double scale = picture.transform.scale;
    const double alpha = detail::fade(scale, detail::rows);
    const double width = node.width - 2 * box::padding;
    const double x = r.left() + box::padding * scale;
    double y = r.top() + (box::headerHeight + box::lineHeight / 2 + 3) * scale;
    const auto line = [&](std::string_view text, double size, TextElide elide, double indent, double room,
                          const QColor& color) {
        // The box was measured with the font's unhinted widths: allow one extra pixel.
        const ShapedText shaped = texts.shaped(text, size, false, elide, room + 1);
        TextCache::draw(painter, shaped, {x + indent * scale, y}, scale, faded(color, alpha));
        return shaped.width;
    };
    if (!node.name.empty()) {
        line(node.name, box::nameSize, TextElide::Middle, 0, width, theme.nodeText);
        y += box::lineHeight * scale;
    }
    for (const std::string_view row : node.rows) {
        const auto space = row.find(' ');
        const double used = line(row.substr(0, space), box::rowSize, TextElide::End, 0, width, theme.nodeMuted);
        if (space != std::string_view::npos && used + box::rowGap < width) {
            line(row.substr(space + 1), box::rowSize, TextElide::End, used + box::rowGap, width - used - box::rowGap,
                 theme.nodeText);
        }
        y += box::lineHeight * scale;
    }
}

void paintIcon(QPainter& painter, const ScenePicture& picture, const QRectF& r, QLatin1String name, const QColor& color)
{
    const double scale = picture.transform.scale;
    const double side = box::iconSize * scale;
    if (side < 6) {
        return;
    }
    const int pixels = static_cast<int>(std::ceil(side));
    const QPixmap pixmap = iconPixmap(name, color, pixels, painter.device()->devicePixelRatioF());
    const QRectF place(r.right() - (box::padding - 3) * scale - side,
                       r.top() + (box::headerHeight - box::iconSize) / 2 * scale, side, side);
    painter.drawPixmap(place, pixmap, QRectF(pixmap.rect()));
}

/// Paints gap badges above the box, clear of the selection frame. From afar they stay readable, as many as fit the
/// width of the box.
void paintBadges(QPainter& painter, const ScenePicture& picture, TextCache& texts, const QRectF& r, std::uint32_t i)
{
    if (!picture.marks) {
        return;
    }
    const auto found = picture.marks->badges.find(i);
    if (found == picture.marks->badges.end()) {
        return;
    }
    const double scale = std::max(picture.transform.scale, minBadge);
    const double height = 15 * scale;
    const double bottom = r.top() - std::max(frameRoom * picture.transform.scale, frameReach);
    const double first = r.right() - std::max(4 * scale, picture.transform.scale > detail::icons ? 0 : alarmReach);
    double right = first;
    for (const auto& badge : found->second) {
        const QByteArray utf8 = badge.toUtf8();
        const ShapedText text = texts.shaped({utf8.data(), static_cast<std::size_t>(utf8.size())}, 10, true);
        const double width = (text.width + 12) * scale;
        if (right < first && right - width < r.left()) {
            break;
        }
        const QRectF pill(right - width, bottom - height, width, height);
        const auto [ground, color] = picture.theme->badge(badge == shapeBadge());
        painter.setPen(QPen(picture.theme->nodeBody, 1.2));
        painter.setBrush(ground);
        painter.drawRoundedRect(pill, height / 2, height / 2);
        TextCache::draw(painter, text, {pill.left() + 6 * scale, pill.center().y()}, scale, color);
        right -= width + 3 * scale;
    }
}

} // namespace

/// Names appear when there is time to paint them: a graph that fits the view shows them from further away.
double titleAlpha(const ScenePicture& picture)
{
    const double scale = picture.transform.scale;
    return picture.drawn->scene.nodes.size() <= detail::fewBoxes ? detail::fade(scale, detail::earlyTitles)
                                                                 : detail::fade(scale, detail::titles);
}

QLatin1String verdictIcon(Verdict verdict, bool isChange)
{
    switch (verdict) {
    case Verdict::Exact:
        break;
    case Verdict::Decomposed:
        return QLatin1String(isChange ? "added" : "branches");
    case Verdict::Approximate:
        return QLatin1String(isChange ? "changed" : "wave");
    case Verdict::Unsupported:
        return QLatin1String(isChange ? "removed" : "cross");
    case Verdict::Folded:
        return QLatin1String("dot");
    }
    return {};
}

void paintBlocks(QPainter& painter, const ScenePicture& picture, std::span<const std::uint32_t> nodes)
{
    std::map<QRgb, QList<QRectF>> blocks;
    std::array<QList<QRectF>, 5> stripes;
    for (const auto i : nodes) {
        const QRectF r = picture.transform.toView(picture.drawn->index.box(i));
        const QColor block = tintOf(picture, i).block;
        if (picture.marks && picture.marks->isDimmed(i)) {
            blocks[mix(picture.theme->canvas, block, dimmedShare).rgb()].append(r);
            continue;
        }
        blocks[block.rgb()].append(r);
        if (const auto verdict = verdictOf(picture, i); verdict != Verdict::Exact && verdict != Verdict::Folded) {
            stripes[static_cast<std::size_t>(verdict)].append(
                {r.left(), r.top(), std::max(2.0, stripeWidth * picture.transform.scale), r.height()});
        }
    }
    painter.setPen(Qt::NoPen);
    for (const auto& [color, rects] : blocks) {
        painter.setBrush(QColor(color));
        painter.drawRects(rects);
    }
    for (std::size_t verdict = 0; verdict < stripes.size(); ++verdict) {
        if (!stripes[verdict].isEmpty()) {
            painter.setBrush(picture.theme->verdict(static_cast<Verdict>(verdict)));
            painter.drawRects(stripes[verdict]);
        }
    }
}

void paintTitles(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::span<const std::uint32_t> nodes)
{
    if (titleAlpha(picture) > 0) {
        for (const auto i : nodes) {
            if (!picture.marks || !picture.marks->isDimmed(i)) {
                const QRectF r = picture.transform.toView(picture.drawn->index.box(i));
                paintTitle(painter, picture, texts, r, i, false);
                paintBadges(painter, picture, texts, r, i);
            }
        }
    }
}

void paintNode(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t i)
{
    const SceneNode& node = picture.drawn->scene.nodes[i];
    const QRectF r = picture.transform.toView(picture.drawn->index.box(i));
    const Verdict verdict = verdictOf(picture, i);
    const bool isGroup = node.kind == SceneNode::Kind::Group;
    const double opacity = painter.opacity();
    if (picture.marks && picture.marks->isDimmed(i)) {
        painter.setOpacity(opacity * dimmedShare);
    }
    if (isGroup) {
        paintSheets(painter, picture, r);
    }
    paintBody(painter, picture, r, i, verdict);
    const bool areIconsShown = picture.transform.scale > detail::icons;
    const bool isKept = verdict == Verdict::Exact || verdict == Verdict::Decomposed; // the same function
    const bool hasTick = areIconsShown && !isGroup && isKept && picture.marks && picture.marks->isProven(i);
    const bool hasIcon = areIconsShown && !hasTick && verdict != Verdict::Exact;
    paintTitle(painter, picture, texts, r, i, hasIcon || hasTick || isGroup);
    if (picture.transform.scale > detail::rows.from) {
        paintRows(painter, picture, texts, r, node);
    }
    if (hasIcon) {
        paintIcon(painter, picture, r, verdictIcon(verdict, picture.marks->areChanges),
                  picture.theme->verdict(verdict));
    } else if (hasTick) {
        paintIcon(painter, picture, r, QLatin1String("check"), tintOf(picture, i).headerText);
    } else if (isGroup) {
        const double side = box::iconSize * picture.transform.scale;
        paintFoldSign(painter,
                      {r.right() - (box::padding - 3) * picture.transform.scale - side / 2,
                       r.top() + box::headerHeight / 2 * picture.transform.scale},
                      side, false, picture.theme->category(node.category).headerText);
    }
    paintBadges(painter, picture, texts, r, i);
    painter.setOpacity(opacity);
}

void paintFrames(QPainter& painter, const ScenePicture& picture)
{
    const auto frames = [&](std::span<const std::uint32_t> nodes, const QPen& pen) {
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        for (const auto i : nodes) {
            QRectF r = picture.transform.toView(picture.drawn->index.box(i));
            if (!r.intersects(picture.view.adjusted(-8, -8, 8, 8))) {
                continue;
            }
            const double grow = std::max(3.0, (9 - std::min(r.width(), r.height())) / 2);
            r.adjust(-grow, -grow, grow, grow);
            const double radius = std::min(box::radius * picture.transform.scale + 3, 9.0);
            painter.drawRoundedRect(r, radius, radius);
        }
    };
    QPen dashed(picture.theme->counterpart, 2);
    dashed.setDashPattern({4, 2});
    frames(picture.counterparts, dashed);
    frames(picture.selected, QPen(picture.theme->selection, 2.4));
}

void paintBookmarks(QPainter& painter, const ScenePicture& picture)
{
    const double scale = std::max(picture.transform.scale, minBadge);
    const QSizeF size = QSizeF(8, 13) * scale;
    painter.setBrush(picture.theme->accent);
    painter.setPen(QPen(picture.theme->canvas, 1));
    for (const auto i : picture.bookmarked) {
        const QRectF box = picture.transform.toView(picture.drawn->index.box(i));
        const QRectF r(box.topLeft() + QPointF(std::min(box::padding * scale, box.width() / 2), -4 * scale), size);
        if (r.intersects(picture.view)) {
            painter.drawPolygon(QPolygonF({r.topLeft(), r.topRight(), r.bottomRight(),
                                           QPointF(r.center().x(), r.bottom() - 3.5 * scale), r.bottomLeft()}));
        }
    }
}

} // namespace crosswalk::ui
