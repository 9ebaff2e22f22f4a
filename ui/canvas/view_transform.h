#pragma once

#include <QPointF>
#include <QRectF>

#include <cstddef>

namespace crosswalk::ui {

/// Position and scale of a scene in a view: view = (scene - origin) * scale.
struct ViewTransform {
    QPointF origin;
    double scale = 1;

    QPointF toView(QPointF scenePoint) const { return (scenePoint - origin) * scale; }
    QPointF toScene(QPointF viewPoint) const { return viewPoint / scale + origin; }
    QRectF toView(const QRectF& r) const { return {toView(r.topLeft()), r.size() * scale}; }
    QRectF toScene(const QRectF& r) const { return {toScene(r.topLeft()), r.size() / scale}; }
    friend bool operator==(const ViewTransform&, const ViewTransform&) = default;
};

/// Scales at which more details are drawn (UI.md, levels of detail). A detail fades in from the first scale to the
/// second.
namespace detail {
struct Level {
    double from;
    double to;
};
inline constexpr double boxes = 0.12;             ///< below: blocks of occupied space
inline constexpr Level titles = {0.35, 0.39};     ///< below: boxes in category tint
inline constexpr Level earlyTitles = {0.18, 0.2}; ///< at which a graph of few boxes shows operator names
inline constexpr std::size_t fewBoxes = 200;
inline constexpr double icons = 0.44;          ///< below: verdicts are stripes, and alarms on the corners of boxes
inline constexpr Level headers = {0.44, 0.47}; ///< names move from the middle of boxes to their headers
inline constexpr Level rows = {0.47, 0.5};     ///< below: operator names
inline constexpr Level shapes = {0.7, 0.75};   ///< below: no shapes on edges
inline constexpr double readable = 0.75;       ///< smallest scale of the first view, and of a jump to a node

/// 0 at `from`, 1 at `to` and above, smooth in between: the opacity of a detail that fades in.
inline double fade(double scale, double from, double to)
{
    const double t = scale <= from ? 0.0 : scale >= to ? 1.0 : (scale - from) / (to - from);
    return t * t * (3 - 2 * t);
}
inline double fade(double scale, Level level)
{
    return fade(scale, level.from, level.to);
}

/// A scale at which no detail is partly faded in: the given scale, or the end of the interval around it.
inline double settled(double scale, bool isLarger)
{
    for (const Level level : {earlyTitles, titles, Level{headers.from, rows.to}, shapes}) {
        if (scale > level.from && scale < level.to) {
            return isLarger ? level.to : level.from;
        }
    }
    return scale;
}
} // namespace detail

} // namespace crosswalk::ui
