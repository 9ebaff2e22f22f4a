#include "ui/canvas/scene_index.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr double stripHeight = 384;

double distanceToSegment(QPointF p, QPointF a, QPointF b)
{
    const QPointF d = b - a;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0.0;
    const QPointF away = p - (a + t * d);
    return std::hypot(away.x(), away.y());
}

} // namespace

SceneIndex::SceneIndex(const Scene& scene)
{
    boxesAndBounds(scene);
    m_stripCount = static_cast<std::uint32_t>(std::max(1.0, std::ceil(m_bounds.height() / stripHeight)));

    std::vector<Entry> entries;
    entries.reserve(scene.nodes.size() * 5 / 4);
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        for (auto strip = stripOf(m_top[i]); strip <= stripOf(m_bottom[i]); ++strip) {
            entries.push_back({m_left[i], m_right[i], i, strip});
        }
    }
    m_nodes = sorted(std::move(entries));

    entries = {};
    entries.reserve(scene.edges.size() * 3 / 2);
    for (std::uint32_t i = 0; i < scene.layout.routes.size(); ++i) {
        addRoute(scene.layout.routes[i], i, entries);
    }
    m_edges = sorted(std::move(entries));

    const auto table = [&scene](auto end) {
        Table t;
        t.first.assign(scene.nodes.size() + 1, 0);
        for (const auto& edge : scene.edges) {
            ++t.first[edge.*end + 1];
        }
        for (std::size_t i = 1; i < t.first.size(); ++i) {
            t.first[i] += t.first[i - 1];
        }
        t.items.resize(scene.edges.size());
        auto next = t.first;
        for (std::uint32_t i = 0; i < scene.edges.size(); ++i) {
            t.items[next[scene.edges[i].*end]++] = i;
        }
        return t;
    };
    m_into = table(&SceneEdge::to);
    m_outOf = table(&SceneEdge::from);
}

void SceneIndex::boxesAndBounds(const Scene& scene)
{
    const auto count = scene.nodes.size();
    m_left.resize(count);
    m_top.resize(count);
    m_right.resize(count);
    m_bottom.resize(count);
    float left = 0, top = 0, right = scene.layout.width, bottom = scene.layout.height;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [x, y] = scene.layout.positions[i];
        m_left[i] = x;
        m_top[i] = y;
        m_right[i] = x + scene.nodes[i].width;
        m_bottom[i] = y + scene.nodes[i].height;
        left = std::min(left, m_left[i]);
        top = std::min(top, m_top[i]);
        right = std::max(right, m_right[i]);
        bottom = std::max(bottom, m_bottom[i]);
    }
    m_bounds = QRectF(QPointF(left, top), QPointF(right, bottom));
}

void SceneIndex::addRoute(const std::vector<LayoutPoint>& route, std::uint32_t edge, std::vector<Entry>& entries) const
{
    if (route.empty()) {
        return;
    }
    // One entry for each strip that the route touches. A route may turn upwards, so equal strips may not be adjacent;
    // collect() removes duplicates.
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        const auto& a = route[i];
        const auto& b = route[i + 1];
        const auto [x0, x1] = std::minmax(a.x, b.x);
        const auto [y0, y1] = std::minmax(a.y, b.y);
        for (auto strip = stripOf(y0); strip <= stripOf(y1); ++strip) {
            if (!entries.empty() && entries.back().item == edge && entries.back().strip == strip) {
                entries.back().left = std::min(entries.back().left, x0);
                entries.back().right = std::max(entries.back().right, x1);
            } else {
                entries.push_back({x0, x1, edge, strip});
            }
        }
    }
}

std::uint32_t SceneIndex::stripOf(double y) const
{
    const double strip = std::floor((y - m_bounds.top()) / stripHeight);
    return static_cast<std::uint32_t>(std::clamp(strip, 0.0, m_stripCount - 1.0));
}

SceneIndex::Strips SceneIndex::sorted(std::vector<Entry> entries) const
{
    Strips strips;
    strips.first.assign(m_stripCount + 1, 0);
    for (const auto& entry : entries) {
        ++strips.first[entry.strip + 1];
    }
    for (std::size_t i = 1; i < strips.first.size(); ++i) {
        strips.first[i] += strips.first[i - 1];
    }
    strips.entries.resize(entries.size());
    auto next = strips.first;
    for (const auto& entry : entries) {
        strips.entries[next[entry.strip]++] = entry;
    }
    strips.widest.assign(m_stripCount, 0);
    for (std::uint32_t s = 0; s < m_stripCount; ++s) {
        const auto begin = strips.entries.begin() + strips.first[s];
        const auto end = strips.entries.begin() + strips.first[s + 1];
        std::sort(begin, end, [](const Entry& a, const Entry& b) { return a.left < b.left; });
        for (auto entry = begin; entry != end; ++entry) {
            strips.widest[s] = std::max(strips.widest[s], entry->right - entry->left);
        }
    }
    return strips;
}

void SceneIndex::collect(const Strips& strips, const QRectF& area, std::vector<std::uint32_t>& out) const
{
    out.clear();
    if (strips.entries.empty()) {
        return;
    }
    for (auto strip = stripOf(area.top()); strip <= stripOf(area.bottom()); ++strip) {
        const auto begin = strips.entries.begin() + strips.first[strip];
        const auto end = strips.entries.begin() + strips.first[strip + 1];
        auto entry = std::lower_bound(begin, end, area.left() - strips.widest[strip],
                                      [](const Entry& e, double x) { return e.left < x; });
        for (; entry != end && entry->left <= area.right(); ++entry) {
            if (entry->right >= area.left()) {
                out.push_back(entry->item);
            }
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

QRectF SceneIndex::box(std::uint32_t node) const
{
    return {QPointF(m_left[node], m_top[node]), QPointF(m_right[node], m_bottom[node])};
}

void SceneIndex::nodesIn(const QRectF& area, std::vector<std::uint32_t>& out) const
{
    collect(m_nodes, area, out);
    std::erase_if(out, [&](std::uint32_t i) { return m_top[i] > area.bottom() || m_bottom[i] < area.top(); });
}

void SceneIndex::edgesIn(const QRectF& area, std::vector<std::uint32_t>& out) const
{
    collect(m_edges, area, out);
}

std::optional<std::uint32_t> SceneIndex::nodeAt(QPointF point) const
{
    std::vector<std::uint32_t> hits;
    nodesIn(QRectF(point, QSizeF(0, 0)), hits);
    return hits.empty() ? std::nullopt : std::optional(hits.back());
}

std::optional<std::uint32_t> SceneIndex::edgeAt(const Scene& scene, QPointF point, double reach) const
{
    std::vector<std::uint32_t> hits;
    edgesIn(QRectF(point, QSizeF(0, 0)).adjusted(-reach, -reach, reach, reach), hits);
    std::optional<std::uint32_t> best;
    for (const auto edge : hits) {
        const auto& route = scene.layout.routes[edge];
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const double distance =
                distanceToSegment(point, {route[i].x, route[i].y}, {route[i + 1].x, route[i + 1].y});
            if (distance < reach) {
                reach = distance;
                best = edge;
            }
        }
    }
    return best;
}

} // namespace crosswalk::ui
