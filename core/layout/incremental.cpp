// The drawing is cut at two layers, one above all changes and one below. These layers are fixed: the boxes in them, and
// a port of size zero for each line that passes. The engine lays out the current graph between them. Whatever changed,
// no boxes overlap and no new crossings appear above and below the cuts.

#include "core/layout/incremental.h"

#include "core/layout/drawing_cuts.h"
#include "core/layout/polyline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace crosswalk {
namespace {

float xAt(std::span<const LayoutPoint> line, float y)
{
    for (std::size_t i = 1; i < line.size(); ++i) {
        const LayoutPoint a = line[i - 1];
        const LayoutPoint b = line[i];
        if (b.y >= y) {
            return b.y > a.y ? a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) : a.x;
        }
    }
    return line.back().x;
}

class Patcher {
public:
    Patcher(const LayoutTask& task, std::span<const std::uint64_t> keys, const LaidOutTask& before)
        : m_task(task)
        , m_before(before)
        , m_cuts(task, keys, before)
    {
    }

    std::optional<Layout> run(std::stop_token stop)
    {
        if (!m_cuts.leaveMost()) {
            return std::nullopt;
        }
        collectMiddle();
        m_drawn = layoutMiddle(std::move(stop));
        if (m_drawn.positions.size() != m_middle.boxes.size() || !fits()) {
            return std::nullopt;
        }
        return together();
    }

private:
    /// An item of a cut: a box, or a port of an old line.
    struct Pin {
        float axis;
        std::uint32_t box;
        std::uint32_t line;
    };

    void collectMiddle()
    {
        m_ownNumber.assign(m_task.boxes.size(), TaskMatch::none);
        std::vector<std::uint32_t> between;
        for (std::uint32_t v = 0; v < m_task.boxes.size(); ++v) {
            const Zone zone = m_cuts.zoneOf(v);
            if (zone == Zone::Between) {
                between.push_back(v);
            } else if (zone == Zone::UpperCut || zone == Zone::LowerCut) {
                const std::uint32_t before = m_cuts.match.boxBefore[v];
                const float axis = m_before.layout.positions[before].x + m_task.boxes[v].leftOfAxis();
                (zone == Zone::UpperCut ? m_upperPins : m_lowerPins).push_back({axis, v, TaskMatch::none});
            }
        }
        listPorts();
        number(m_upperPins, m_middle.first, m_upperPorts);
        for (const std::uint32_t v : between) {
            m_ownNumber[v] = add(m_task.boxes[v]);
        }
        number(m_lowerPins, m_middle.last, m_lowerPorts);
        // Without a cut, the ends are those of the whole graph.
        const auto takeOver = [&](std::span<const std::uint32_t> from, std::vector<std::uint32_t>& to) {
            for (const std::uint32_t v : from) {
                if (m_cuts.zoneOf(v) == Zone::Between) {
                    to.push_back(m_ownNumber[v]);
                }
            }
        };
        if (m_upperPins.empty()) {
            takeOver(m_task.first, m_middle.first);
        }
        if (m_lowerPins.empty()) {
            takeOver(m_task.last, m_middle.last);
        }
        for (const Drawn& drawn : m_new) {
            const LayoutEdge& edge = m_task.edges[drawn.edge];
            LayoutEdge own{m_ownNumber[edge.from], m_ownNumber[edge.to], edge.leaves, edge.enters};
            if (drawn.upper != TaskMatch::none) {
                own.from = m_upperPorts.at(drawn.upper);
                own.leaves = LayoutEdge::anywhere;
            }
            if (drawn.lower != TaskMatch::none) {
                own.to = m_lowerPorts.at(drawn.lower);
                own.enters = LayoutEdge::anywhere;
            }
            m_middle.edges.push_back(own);
        }
    }

    /// The edges to draw, and their lines through the cuts.
    void listPorts()
    {
        std::vector<std::uint32_t> upper;
        std::vector<std::uint32_t> lower;
        for (std::uint32_t e = 0; e < m_task.edges.size(); ++e) {
            const Zone from = m_cuts.zoneOf(m_task.edges[e].from);
            const Zone to = m_cuts.zoneOf(m_task.edges[e].to);
            const std::uint32_t own = m_cuts.match.edgeBefore[e];
            const bool isFar = from == Zone::Above || to == Zone::Below;
            const bool wasTag = own != TaskMatch::none && m_before.layout.routes[own].empty();
            if (to <= Zone::UpperCut || from >= Zone::LowerCut || wasTag ||
                (own == TaskMatch::none && m_cuts.isOfHub[e] && isFar)) {
                continue;
            }
            Drawn drawn{e};
            if (from == Zone::Above) {
                drawn.upper = m_cuts.lineOutOf(e);
                upper.push_back(drawn.upper);
            }
            if (to == Zone::Below) {
                drawn.lower = m_cuts.lineInto(e);
                lower.push_back(drawn.lower);
            }
            m_new.push_back(drawn);
        }
        const auto addPorts = [&](std::vector<std::uint32_t>& lines, std::int32_t band, std::vector<Pin>& pins) {
            std::ranges::sort(lines);
            lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
            for (const std::uint32_t line : lines) {
                pins.push_back({xAt(m_before.layout.routes[line], m_cuts.bands.middle(band)), TaskMatch::none, line});
            }
        };
        addPorts(upper, m_cuts.upper(), m_upperPins);
        addPorts(lower, m_cuts.lower(), m_lowerPins);
    }

    void number(std::vector<Pin>& pins, std::vector<std::uint32_t>& layer,
                std::map<std::uint32_t, std::uint32_t>& ports)
    {
        std::ranges::stable_sort(pins, {}, &Pin::axis);
        for (const Pin& pin : pins) {
            layer.push_back(add(pin.box != TaskMatch::none ? m_task.boxes[pin.box] : LayoutBox{}));
            if (pin.box != TaskMatch::none) {
                m_ownNumber[pin.box] = layer.back();
            } else {
                ports.emplace(pin.line, layer.back());
            }
        }
    }

    std::uint32_t add(const LayoutBox& box)
    {
        m_middle.boxes.push_back(box);
        return static_cast<std::uint32_t>(m_middle.boxes.size() - 1);
    }

    Layout layoutMiddle(std::stop_token stop) const
    {
        const auto axesOf = [](std::span<const Pin> pins) {
            std::vector<float> axes;
            std::ranges::transform(pins, std::back_inserter(axes), &Pin::axis);
            return axes;
        };
        const auto upper = axesOf(m_upperPins);
        const auto lower = axesOf(m_lowerPins);
        LayoutOptions options;
        options.first = m_middle.first;
        options.last = m_middle.last;
        options.firstAxes = upper;
        options.lastAxes = lower;
        return layoutGraph(m_middle.boxes, m_middle.edges, options, std::move(stop));
    }

    /// The position of a pin in the old drawing.
    LayoutPoint placeBefore(const Pin& pin, std::int32_t band) const
    {
        return pin.box != TaskMatch::none ? m_before.layout.positions[m_cuts.match.boxBefore[pin.box]]
                                          : LayoutPoint{pin.axis, m_cuts.bands.middle(band)};
    }

    /// Computes the offset of the middle part and of the part below it. Returns whether the pins keep their relative
    /// positions.
    bool fits()
    {
        const auto placeOf = [&](std::span<const std::uint32_t> layer, std::size_t i) {
            const LayoutPoint at = m_drawn.positions[layer[i]];
            return LayoutPoint{at.x + m_moved.x, at.y + m_moved.y};
        };
        if (!m_upperPins.empty()) {
            const LayoutPoint then = placeBefore(m_upperPins.front(), m_cuts.upper());
            const LayoutPoint now = m_drawn.positions[m_middle.first.front()];
            m_moved = {then.x - now.x, then.y - now.y};
        } else if (!m_lowerPins.empty()) {
            m_moved.x = placeBefore(m_lowerPins.front(), m_cuts.lower()).x - m_drawn.positions[m_middle.last.front()].x;
        }
        if (!m_lowerPins.empty()) {
            m_down = placeOf(m_middle.last, 0).y - placeBefore(m_lowerPins.front(), m_cuts.lower()).y;
        }
        const auto stands = [&](LayoutPoint now, LayoutPoint then, float down) {
            constexpr float visible = 0.5F;
            return std::abs(now.x - then.x) < visible && std::abs(now.y - then.y - down) < visible;
        };
        for (std::size_t i = 0; i < m_upperPins.size(); ++i) {
            if (!stands(placeOf(m_middle.first, i), placeBefore(m_upperPins[i], m_cuts.upper()), 0)) {
                return false;
            }
        }
        for (std::size_t i = 0; i < m_lowerPins.size(); ++i) {
            if (!stands(placeOf(m_middle.last, i), placeBefore(m_lowerPins[i], m_cuts.lower()), m_down)) {
                return false;
            }
        }
        return true;
    }

    Layout together() const
    {
        Layout layout;
        layout.cpuSeconds = m_drawn.cpuSeconds;
        for (std::uint32_t v = 0; v < m_task.boxes.size(); ++v) {
            const Zone zone = m_cuts.zoneOf(v);
            if (zone == Zone::Between) {
                const LayoutPoint at = m_drawn.positions[m_ownNumber[v]];
                layout.positions.push_back({at.x + m_moved.x, at.y + m_moved.y});
            } else {
                const LayoutPoint at = m_before.layout.positions[m_cuts.match.boxBefore[v]];
                layout.positions.push_back({at.x, at.y + (zone >= Zone::LowerCut ? m_down : 0)});
            }
        }
        layout.routes.resize(m_task.edges.size());
        for (std::uint32_t e = 0; e < m_task.edges.size(); ++e) {
            const bool isBelow = m_cuts.zoneOf(m_task.edges[e].from) >= Zone::LowerCut;
            if (m_cuts.match.edgeBefore[e] != TaskMatch::none &&
                (isBelow || m_cuts.zoneOf(m_task.edges[e].to) <= Zone::UpperCut)) {
                layout.routes[e] = m_before.layout.routes[m_cuts.match.edgeBefore[e]];
                for (LayoutPoint& point : layout.routes[e]) {
                    point.y += isBelow ? m_down : 0;
                }
            }
        }
        for (std::size_t i = 0; i < m_new.size(); ++i) {
            if (!m_drawn.routes[i].empty()) {
                layout.routes[m_new[i].edge] = lineOf(m_new[i], m_drawn.routes[i]);
            }
        }
        moveToOrigin(layout);
        return layout;
    }

    struct Drawn {
        std::uint32_t edge;
        std::uint32_t upper = TaskMatch::none; ///< old line through the upper cut
        std::uint32_t lower = TaskMatch::none; ///< old line through the lower cut
    };

    std::vector<LayoutPoint> lineOf(const Drawn& drawn, std::span<const LayoutPoint> middle) const
    {
        std::vector<LayoutPoint> line;
        if (drawn.upper != TaskMatch::none) {
            for (const LayoutPoint point : m_before.layout.routes[drawn.upper]) {
                if (point.y < m_cuts.bands.middle(m_cuts.upper())) {
                    appendPoint(line, point);
                }
            }
        }
        for (const LayoutPoint point : middle) {
            appendPoint(line, {point.x + m_moved.x, point.y + m_moved.y});
        }
        if (drawn.lower != TaskMatch::none) {
            for (const LayoutPoint point : m_before.layout.routes[drawn.lower]) {
                if (point.y > m_cuts.bands.middle(m_cuts.lower())) {
                    appendPoint(line, {point.x, point.y + m_down});
                }
            }
        }
        return line;
    }

    void moveToOrigin(Layout& layout) const
    {
        constexpr float far = std::numeric_limits<float>::max();
        LayoutPoint least{far, far};
        LayoutPoint most{-far, -far};
        const auto take = [&](float x, float y) {
            least = {std::min(least.x, x), std::min(least.y, y)};
            most = {std::max(most.x, x), std::max(most.y, y)};
        };
        for (std::size_t v = 0; v < layout.positions.size(); ++v) {
            const LayoutPoint at = layout.positions[v];
            take(at.x, at.y);
            take(at.x + m_task.boxes[v].width, at.y + m_task.boxes[v].height);
        }
        for (const auto& route : layout.routes) {
            for (const LayoutPoint point : route) {
                take(point.x, point.y);
            }
        }
        const auto move = [&](LayoutPoint& point) { point = {point.x - least.x, point.y - least.y}; };
        std::ranges::for_each(layout.positions, move);
        for (auto& route : layout.routes) {
            std::ranges::for_each(route, move);
        }
        layout.width = most.x - least.x;
        layout.height = most.y - least.y;
    }

    const LayoutTask& m_task;
    const LaidOutTask& m_before;
    DrawingCuts m_cuts;

    LayoutTask m_middle;
    std::vector<std::uint32_t> m_ownNumber; ///< by box: its number in the middle part
    std::vector<Pin> m_upperPins;           ///< from left to right
    std::vector<Pin> m_lowerPins;
    std::map<std::uint32_t, std::uint32_t> m_upperPorts; ///< by old line: its port in the middle part
    std::map<std::uint32_t, std::uint32_t> m_lowerPorts;
    std::vector<Drawn> m_new; ///< by edge of the middle part
    Layout m_drawn;
    LayoutPoint m_moved; ///< offset of the part between the cuts
    float m_down = 0;    ///< offset of the part below them
};

} // namespace

std::optional<Layout> layoutChanges(const LayoutTask& task, std::span<const std::uint64_t> keys,
                                    const LaidOutTask& before, std::stop_token stop)
{
    if (task.boxes.empty() || keys.size() != task.boxes.size() || before.keys.size() != before.task.boxes.size()) {
        return std::nullopt;
    }
    return Patcher(task, keys, before).run(std::move(stop));
}

} // namespace crosswalk
