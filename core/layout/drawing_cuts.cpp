#include "core/layout/drawing_cuts.h"

#include <algorithm>
#include <numeric>

namespace crosswalk {
namespace {

constexpr int maxMoves = 64; ///< moves of the cuts, each over all new lines: further moves would leave few boxes

} // namespace

Bands::Bands(std::span<const LayoutBox> boxes, std::span<const LayoutPoint> positions)
    : of(boxes.size())
{
    std::vector<std::uint32_t> byTop(boxes.size());
    std::iota(byTop.begin(), byTop.end(), 0U);
    std::ranges::stable_sort(byTop, {}, [&](std::uint32_t v) { return positions[v].y; });
    for (const std::uint32_t v : byTop) {
        if (top.empty() || positions[v].y > bottom.back()) {
            top.push_back(positions[v].y);
            bottom.push_back(positions[v].y);
        }
        bottom.back() = std::max(bottom.back(), positions[v].y + boxes[v].height);
        of[v] = count() - 1;
    }
}

DrawingCuts::DrawingCuts(const LayoutTask& task, std::span<const std::uint64_t> keys, const LaidOutTask& before)
    : match(task, keys, before.task, before.keys)
    , bands(before.task.boxes, before.layout.positions)
    , isOfHub(layered::findHubEdges(task.boxes.size(), task.edges))
    , m_task(task)
    , m_before(before)
    , m_edgesOutOf(edgesBy(&LayoutEdge::from))
    , m_edgesInto(edgesBy(&LayoutEdge::to))
    , m_lower(bands.count())
{
    find();
}

Zone DrawingCuts::zoneOf(std::uint32_t box) const
{
    const std::uint32_t before = match.boxBefore[box];
    if (before == TaskMatch::none) {
        return Zone::Between;
    }
    const std::int32_t band = bands.of[before];
    return band < m_upper    ? Zone::Above
           : band == m_upper ? Zone::UpperCut
           : band == m_lower ? Zone::LowerCut
           : band > m_lower  ? Zone::Below
                             : Zone::Between;
}

layered::Adjacency DrawingCuts::edgesBy(std::uint32_t LayoutEdge::*end) const
{
    const auto& edges = m_before.task.edges;
    std::vector<std::uint32_t> ends(edges.size());
    std::ranges::transform(edges, ends.begin(), [&](const LayoutEdge& edge) { return edge.*end; });
    std::vector<std::uint32_t> numbers(edges.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return {m_before.task.boxes.size(), ends, numbers};
}

void DrawingCuts::find()
{
    std::int32_t firstChange = bands.count();
    std::int32_t lastChange = -1;
    for (std::size_t v = 0; v < bands.of.size(); ++v) {
        firstChange = match.changedAbove[v] ? std::min(firstChange, bands.of[v]) : firstChange;
        lastChange = match.changedBelow[v] ? std::max(lastChange, bands.of[v]) : lastChange;
    }
    // If only a line was added or removed, its lower end changed below its upper one.
    m_lower = lastChange + 1;
    m_upper = std::min(firstChange, m_lower) - 1;
    const auto isNew = [&](std::uint32_t v) { return match.boxBefore[v] == TaskMatch::none; };
    m_upper = std::ranges::any_of(m_task.first, isNew) ? -1 : m_upper;
    m_lower = std::ranges::any_of(m_task.last, isNew) ? bands.count() : m_lower;
    if (leaveMost()) {
        moveToNewLines();
    }
}

/// A new line from the unchanged part requires an old line through the cut from the same box; lines of hubs become
/// tags.
void DrawingCuts::moveToNewLines()
{
    std::vector<std::uint32_t> lines;
    for (std::uint32_t e = 0; e < m_task.edges.size(); ++e) {
        if (match.edgeBefore[e] == TaskMatch::none && !isOfHub[e]) {
            lines.push_back(e);
        }
    }
    bool goesOn = true;
    for (int i = 0; goesOn && i < maxMoves; ++i) {
        goesOn = false;
        for (const std::uint32_t e : lines) {
            const auto [from, to] = std::pair(m_task.edges[e].from, m_task.edges[e].to);
            if (zoneOf(from) == Zone::Above && lineOutOf(e) == TaskMatch::none) {
                m_upper = bands.of[match.boxBefore[from]];
                goesOn = true;
            }
            if (zoneOf(to) == Zone::Below && lineInto(e) == TaskMatch::none) {
                m_lower = bands.of[match.boxBefore[to]];
                goesOn = true;
            }
        }
    }
    if (goesOn) {
        m_upper = -1;
        m_lower = bands.count();
    }
}

template <typename Fits>
std::uint32_t DrawingCuts::findLine(std::span<const std::uint32_t> edges, Fits fits) const
{
    const auto found = std::ranges::find_if(
        edges, [&](std::uint32_t e) { return !m_before.layout.routes[e].empty() && fits(m_before.task.edges[e]); });
    return found != edges.end() ? *found : TaskMatch::none;
}

std::uint32_t DrawingCuts::lineOutOf(std::uint32_t edge) const
{
    if (match.edgeBefore[edge] != TaskMatch::none) {
        return match.edgeBefore[edge];
    }
    const LayoutEdge& now = m_task.edges[edge];
    return findLine(m_edgesOutOf.of(match.boxBefore[now.from]), [&](const LayoutEdge& before) {
        return before.leaves == now.leaves && bands.of[before.to] > m_upper;
    });
}

std::uint32_t DrawingCuts::lineInto(std::uint32_t edge) const
{
    if (match.edgeBefore[edge] != TaskMatch::none) {
        return match.edgeBefore[edge];
    }
    const LayoutEdge& now = m_task.edges[edge];
    return findLine(m_edgesInto.of(match.boxBefore[now.to]), [&](const LayoutEdge& before) {
        return before.enters == now.enters && bands.of[before.from] < m_lower;
    });
}

bool DrawingCuts::leaveMost() const
{
    std::size_t kept = 0;
    for (std::uint32_t v = 0; v < m_task.boxes.size(); ++v) {
        kept += zoneOf(v) != Zone::Between ? 1 : 0;
    }
    return 2 * kept >= m_task.boxes.size() && kept > 0;
}

} // namespace crosswalk
