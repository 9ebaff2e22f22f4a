#include "ui/canvas/frame_painter.h"

#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr double groundTint = 0.055; ///< share of the accent colour that a frame adds
constexpr double readable = 10;      ///< size of titles in screen pixels, as long as they fit
constexpr double minFrame =
    4; ///< minimum side in screen pixels: smaller frames are invisible, and there are thousands of them

QRectF rectOf(const GroupFrame& frame)
{
    return {frame.at.x, frame.at.y, frame.width, frame.height};
}

/// The visible frames whose sides have at least this many pixels on screen.
template <typename Paint>
void forEachSeen(const ScenePicture& picture, double least, Paint paint)
{
    const QRectF seen = picture.transform.toScene(picture.view.adjusted(-4, -4, 4, 4));
    const double side = least / picture.transform.scale;
    for (const auto& frame : picture.drawn->frames()) {
        const bool isSeen = frame.at.x < seen.right() && frame.at.x + frame.width > seen.left() &&
                            frame.at.y < seen.bottom() && frame.at.y + frame.height > seen.top();
        if (isSeen && frame.width >= side && frame.height >= side) {
            paint(frame, picture.transform.toView(rectOf(frame)));
        }
    }
}

/// Each frame adds its tint to its background.
QColor groundOf(const ScenePicture& picture, const GroupFrame& frame)
{
    const auto& groups = picture.drawn->groups()->groups;
    int frames = 1; // the groups around an open group are open, too
    for (auto g = groups[frame.group].parent; g != SceneGroup::none; g = groups[g].parent) {
        ++frames;
    }
    const Theme& theme = *picture.theme;
    const double kept = 1 - (theme.isDark ? 2 : 1) * groundTint;
    return mix(theme.canvas, theme.accent, 1 - std::pow(kept, frames));
}

double cornerOf(const ScenePicture& picture, const QRectF& r)
{
    return std::min(frame::radius * picture.transform.scale, r.height() / 3);
}

/// Paints a frame aligned to device pixels. Qt distributes antialiased shapes over a thread pool, some sixty rows per
/// thread, and waking the threads takes longer than painting a frame. So only the corners are antialiased shapes; the
/// rest consists of rectangles.
class FramePixels {
public:
    FramePixels(QPainter& painter, const ScenePicture& picture, const QRectF& r)
        : m_painter(painter)
        , m_ratio(painter.device()->devicePixelRatioF())
        , m_line(whole(1))
        , m_outer(QPointF(whole(r.left() - 0.5), whole(r.top() - 0.5)),
                  QPointF(whole(r.right() + 0.5), whole(r.bottom() + 0.5)))
        , m_corner(whole(cornerOf(picture, r)))
    {
    }

    void fill(const QColor& color)
    {
        const QRectF& r = m_outer;
        m_painter.fillRect(r.adjusted(m_corner, 0, -m_corner, 0), color);
        m_painter.fillRect(QRectF(r.left(), r.top() + m_corner, m_corner, r.height() - 2 * m_corner), color);
        m_painter.fillRect(QRectF(r.right() - m_corner, r.top() + m_corner, m_corner, r.height() - 2 * m_corner),
                           color);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        forEachCorner(0, [&](const QRectF& circle, int angle) { m_painter.drawPie(circle, angle, quarter); });
    }

    void outline(const QColor& color)
    {
        const QRectF& r = m_outer;
        const QSizeF across(r.width() - 2 * m_corner, m_line);
        const QSizeF along(m_line, r.height() - 2 * m_corner);
        m_painter.fillRect(QRectF(QPointF(r.left() + m_corner, r.top()), across), color);
        m_painter.fillRect(QRectF(QPointF(r.left() + m_corner, r.bottom() - m_line), across), color);
        m_painter.fillRect(QRectF(QPointF(r.left(), r.top() + m_corner), along), color);
        m_painter.fillRect(QRectF(QPointF(r.right() - m_line, r.top() + m_corner), along), color);
        QPen pen(color, m_line);
        pen.setCapStyle(Qt::FlatCap);
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        forEachCorner(m_line / 2, [&](const QRectF& circle, int angle) { m_painter.drawArc(circle, angle, quarter); });
    }

private:
    static constexpr int quarter = 90 * 16;

    double whole(double length) const { return std::floor(length * m_ratio + 0.5) / m_ratio; }

    template <typename Paint>
    void forEachCorner(double inset, Paint paint)
    {
        if (m_corner <= 0) {
            return;
        }
        const QRectF r = m_outer.adjusted(inset, inset, -inset, -inset);
        const double side = 2 * (m_corner - inset);
        const QSizeF size(side, side);
        paint(QRectF(QPointF(r.right() - side, r.top()), size), 0);
        paint(QRectF(r.topLeft(), size), quarter);
        paint(QRectF(QPointF(r.left(), r.bottom() - side), size), 2 * quarter);
        paint(QRectF(QPointF(r.right() - side, r.bottom() - side), size), 3 * quarter);
    }

    QPainter& m_painter;
    double m_ratio;
    double m_line;
    QRectF m_outer;
    double m_corner;
};

/// A frame's title as painted at this scale.
struct Title {
    std::uint32_t group;
    const ShapedText& text;
    QRectF ground;
    double factor; ///< of the text's size
};

constexpr double signSize = 10;
constexpr double room = 6; ///< around the sign and the text

constexpr double leastText = 30; ///< minimum width of an elided title, in scene units

/// Calls `paint` for each visible title, elided to the width of its frame.
template <typename Paint>
void forEachTitle(const ScenePicture& picture, TextCache& texts, Paint paint)
{
    const double scale = picture.transform.scale;
    forEachSeen(picture, 2 * readable, [&](const GroupFrame& frame, const QRectF& r) {
        const double factor = std::max(scale, readable / frame::titleSize);
        const double width = std::floor(r.width() / factor - signSize - 3 * room);
        const ShapedText whole = texts.shaped(frame.title, frame::titleSize, true);
        const bool isElided = whole.width > width;
        const ShapedText text =
            isElided ? texts.shaped(frame.title, frame::titleSize, true, TextElide::Middle, width) : whole;
        const QSizeF size((signSize + text.width + 3 * room) * factor, text.height * factor);
        if ((isElided && width < leastText) || size.width() > r.width() || 2 * size.height() > r.height()) {
            return;
        }
        // A title that shrinks less than its bar extends upwards, over edges; downwards it would cover boxes.
        const double bar = frame::titleHeight * scale;
        const double middle = r.top() + bar - std::max(bar, size.height() + 2) / 2;
        paint(Title{frame.group, text, {{r.left() + room * factor / 2, middle - size.height() / 2}, size}, factor});
    });
}

} // namespace

void paintGroupGrounds(QPainter& painter, const ScenePicture& picture)
{
    const bool isRaster = painter.paintEngine()->type() == QPaintEngine::Raster;
    forEachSeen(picture, minFrame, [&](const GroupFrame& frame, const QRectF& r) {
        const QColor ground = groundOf(picture, frame);
        if (isRaster) {
            FramePixels(painter, picture, r).fill(ground);
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(ground);
            painter.drawRoundedRect(r, cornerOf(picture, r), cornerOf(picture, r));
        }
    });
}

void paintGroupLines(QPainter& painter, const ScenePicture& picture)
{
    const Theme& theme = *picture.theme;
    const QColor line = mix(theme.canvas, theme.accent, theme.isDark ? 0.5 : 0.35);
    const bool isRaster = painter.paintEngine()->type() == QPaintEngine::Raster;
    forEachSeen(picture, minFrame, [&](const GroupFrame&, const QRectF& r) {
        if (isRaster) {
            FramePixels(painter, picture, r).outline(line);
        } else {
            painter.setPen(QPen(line, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(r, cornerOf(picture, r), cornerOf(picture, r));
        }
    });
}

void paintGroupTitles(QPainter& painter, const ScenePicture& picture, TextCache& texts)
{
    const Theme& theme = *picture.theme;
    const QColor color = mix(theme.text, theme.accent, theme.isDark ? 0.15 : 0.35);
    forEachTitle(picture, texts, [&](const Title& title) {
        // Edges pass behind the title; if it shrinks less than its bar, boxes do, too.
        QColor ground = mix(theme.canvas, theme.accent, groundTint * (theme.isDark ? 2 : 1));
        ground.setAlphaF(0.85F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawRoundedRect(title.ground, 4, 4);
        const double sign = signSize * title.factor;
        const QPointF start(title.ground.left() + room * title.factor / 2, title.ground.center().y());
        paintFoldSign(painter, start + QPointF(sign / 2, 0), sign, true, color);
        TextCache::draw(painter, title.text, start + QPointF(0.7 * room * title.factor + sign, 0), title.factor, color);
    });
}

QList<QRectF> groupTitlePlaces(const ScenePicture& picture, TextCache& texts)
{
    QList<QRectF> places;
    forEachTitle(picture, texts, [&](const Title& title) { places.append(title.ground); });
    return places;
}

std::optional<std::uint32_t> groupTitleAt(const ScenePicture& picture, TextCache& texts, QPointF place)
{
    std::optional<std::uint32_t> group;
    forEachTitle(picture, texts, [&](const Title& title) {
        if (title.ground.contains(place)) {
            group = title.group; // inner frames follow outer ones
        }
    });
    return group;
}

void paintSheets(QPainter& painter, const ScenePicture& picture, const QRectF& box)
{
    const double scale = picture.transform.scale;
    const double radius = box::radius * scale;
    painter.setPen(QPen(picture.theme->nodeLine, 1));
    painter.setBrush(mix(picture.theme->canvas, picture.theme->nodeBody, 0.6));
    for (const double sheet : {2.0, 1.0}) {
        painter.drawRoundedRect(box.translated(3.5 * sheet * scale, 3.5 * sheet * scale), radius, radius);
    }
}

void paintFoldSign(QPainter& painter, QPointF middle, double side, bool open, const QColor& color)
{
    QPen pen(color, std::max(1.2, side / 7));
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double half = side * 0.3;
    const double tip = side * 0.16;
    const QPolygonF chevron =
        open ? QPolygonF({middle + QPointF(-half, -tip), middle + QPointF(0, tip), middle + QPointF(half, -tip)})
             : QPolygonF({middle + QPointF(-tip, -half), middle + QPointF(tip, 0), middle + QPointF(-tip, half)});
    painter.drawPolyline(chevron);
}

} // namespace crosswalk::ui
