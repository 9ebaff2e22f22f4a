#pragma once

#include "core/layout/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace crosswalk::test {

/// Quality metrics of a layout, the same for every engine.
struct LayoutQuality {
    std::uint64_t crossings = 0; ///< pairs of segments that properly intersect, for edges without a common end
    double meanEdge = 0;         ///< pixels along the polyline, over the edges that are drawn as lines
    std::size_t lines = 0;       ///< edges that are drawn as lines
    double width = 0;            ///< of all boxes and routes
    std::size_t overlaps = 0;    ///< pairs of boxes that overlap by more than 1 px both ways
    std::size_t through = 0;     ///< segments that enter a box other than their ends by more than 1 px
};

namespace quality {

struct Segment {
    double ax, ay, bx, by; ///< a is the upper end
    std::uint32_t edge;
};

inline std::vector<Segment> segmentsOf(const Layout& layout)
{
    std::vector<Segment> segments;
    for (std::uint32_t e = 0; e < layout.routes.size(); ++e) {
        const auto& line = layout.routes[e];
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            Segment s{line[i].x, line[i].y, line[i + 1].x, line[i + 1].y, e};
            if (s.ay > s.by) {
                std::swap(s.ax, s.bx);
                std::swap(s.ay, s.by);
            }
            segments.push_back(s);
        }
    }
    std::ranges::sort(segments, {}, &Segment::ay);
    return segments;
}

inline double turn(double ax, double ay, double bx, double by, double cx, double cy)
{
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

inline bool intersectProperly(const Segment& s, const Segment& t)
{
    if (std::max(s.ax, s.bx) < std::min(t.ax, t.bx) || std::max(t.ax, t.bx) < std::min(s.ax, s.bx)) {
        return false;
    }
    constexpr double exact = 1e-9;
    const double a = turn(s.ax, s.ay, s.bx, s.by, t.ax, t.ay);
    const double b = turn(s.ax, s.ay, s.bx, s.by, t.bx, t.by);
    const double c = turn(t.ax, t.ay, t.bx, t.by, s.ax, s.ay);
    const double d = turn(t.ax, t.ay, t.bx, t.by, s.bx, s.by);
    return ((a > exact && b < -exact) || (a < -exact && b > exact)) &&
           ((c > exact && d < -exact) || (c < -exact && d > exact));
}

/// Whether a part of the segment is inside this rectangle.
inline bool enters(const Segment& s, double left, double top, double right, double bottom)
{
    double first = 0;
    double last = 1;
    const auto clip = [&](double start, double delta, double low, double high) {
        if (std::abs(delta) < 1e-12) {
            return start > low && start < high;
        }
        double t0 = (low - start) / delta;
        double t1 = (high - start) / delta;
        if (t0 > t1) {
            std::swap(t0, t1);
        }
        first = std::max(first, t0);
        last = std::min(last, t1);
        return first < last;
    };
    return clip(s.ax, s.bx - s.ax, left, right) && clip(s.ay, s.by - s.ay, top, bottom);
}

} // namespace quality

inline LayoutQuality qualityOf(const Layout& layout, const std::vector<LayoutBox>& boxes,
                               const std::vector<LayoutEdge>& edges)
{
    using namespace quality;
    LayoutQuality result;
    double left = 1e30;
    double right = -1e30;
    for (std::size_t v = 0; v < boxes.size(); ++v) {
        left = std::min(left, double{layout.positions[v].x});
        right = std::max(right, double{layout.positions[v].x} + boxes[v].width);
    }
    double length = 0;
    const auto segments = segmentsOf(layout);
    for (const Segment& s : segments) {
        length += std::hypot(s.bx - s.ax, s.by - s.ay);
        left = std::min({left, s.ax, s.bx});
        right = std::max({right, s.ax, s.bx});
    }
    result.width = boxes.empty() ? 0 : right - left;
    result.lines =
        static_cast<std::size_t>(std::ranges::count_if(layout.routes, [](const auto& r) { return !r.empty(); }));
    result.meanEdge = result.lines == 0 ? 0 : length / static_cast<double>(result.lines);

    std::vector<const Segment*> open;
    for (const Segment& s : segments) {
        std::erase_if(open, [&](const Segment* other) { return other->by < s.ay; });
        for (const Segment* other : open) {
            const LayoutEdge& a = edges[s.edge];
            const LayoutEdge& b = edges[other->edge];
            if (a.from != b.from && a.to != b.to && intersectProperly(s, *other)) {
                ++result.crossings;
            }
        }
        open.push_back(&s);
    }

    std::vector<std::uint32_t> byTop(boxes.size());
    for (std::uint32_t v = 0; v < boxes.size(); ++v) {
        byTop[v] = v;
    }
    std::ranges::sort(byTop, {}, [&](auto v) { return layout.positions[v].y; });
    std::vector<std::uint32_t> openBoxes;
    std::size_t next = 0;
    const auto bottom = [&](std::uint32_t v) { return double{layout.positions[v].y} + boxes[v].height; };
    for (const std::uint32_t v : byTop) {
        const LayoutPoint at = layout.positions[v];
        std::erase_if(openBoxes, [&](std::uint32_t other) { return bottom(other) < at.y + 1; });
        for (const std::uint32_t other : openBoxes) {
            const double both = std::min(at.x + boxes[v].width, layout.positions[other].x + boxes[other].width) -
                                std::max(at.x, layout.positions[other].x);
            result.overlaps += both > 1 && std::min(bottom(v), bottom(other)) - double{at.y} > 1 ? 1 : 0;
        }
        openBoxes.push_back(v);
    }
    openBoxes.clear();
    for (const Segment& s : segments) {
        while (next < byTop.size() && layout.positions[byTop[next]].y < s.by) {
            openBoxes.push_back(byTop[next++]);
        }
        std::erase_if(openBoxes, [&](std::uint32_t v) { return bottom(v) < s.ay; });
        for (const std::uint32_t v : openBoxes) {
            const LayoutPoint at = layout.positions[v];
            const bool isForeign = v != edges[s.edge].from && v != edges[s.edge].to;
            if (isForeign && enters(s, at.x + 1.0, at.y + 1.0, at.x + boxes[v].width - 1.0, bottom(v) - 1)) {
                ++result.through;
            }
        }
    }
    return result;
}

} // namespace crosswalk::test
