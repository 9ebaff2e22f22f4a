#include "core/report/scene_part.h"

#include "core/layout/layered.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk {
namespace {

/// All boxes in a topological order that goes along the longest ways, and to what joins them where it does: one step of
/// an unrolled loop stands behind the other, whatever the file writes first.
std::vector<std::uint32_t> alongWays(const Scene& scene)
{
    const auto count = static_cast<std::uint32_t>(scene.nodes.size());
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    std::vector<bool> isRead(count);
    for (const SceneEdge& edge : scene.edges) {
        from.push_back(edge.from);
        to.push_back(edge.to);
        isRead[edge.from] = true;
    }
    const layered::Adjacency sources(count, to, from);
    std::vector<std::uint32_t> depths(count); // of the longest way to a box
    for (std::uint32_t box = 0; box < count; ++box) {
        for (const std::uint32_t source : sources.of(box)) {
            depths[box] = std::max(depths[box], depths[source] + 1);
        }
    }
    std::vector<std::uint32_t> order;
    std::vector<bool> isEntered(count);
    std::vector<std::pair<std::uint32_t, bool>> open; // whether what leads to the box has been looked at
    const auto enter = [&](std::uint32_t box) { open.emplace_back(box, false); };
    for (std::uint32_t box = count; box-- > 0;) {
        if (!isRead[box]) {
            enter(box);
        }
    }
    while (!open.empty()) {
        auto& [box, isReady] = open.back();
        if (isReady || isEntered[box]) {
            if (isReady) {
                order.push_back(box);
            }
            open.pop_back();
            continue;
        }
        isReady = isEntered[box] = true;
        std::vector<std::uint32_t> next(sources.of(box).begin(), sources.of(box).end());
        std::ranges::stable_sort(next, std::ranges::less(), [&](std::uint32_t source) { return depths[source]; });
        std::ranges::for_each(next, enter); // the deepest is the first to be taken
    }
    return order;
}

SceneNode restBox(std::size_t count, std::string_view where)
{
    SceneNode box;
    box.kind = SceneNode::Kind::Group;
    box.title = fmt::format("{} {}", count, where);
    box.fullName = "not drawn here";
    box.rows.push_back(box.fullName);
    measureBox(box);
    return box;
}

} // namespace

Scene partOfScene(const Scene& whole, std::optional<std::uint32_t> around, std::uint32_t count, std::stop_token stop)
{
    const std::vector<std::uint32_t> order = alongWays(whole);
    const std::size_t size = std::min<std::size_t>(count, order.size());
    std::size_t first = 0;
    if (around) {
        const auto at = static_cast<std::size_t>(std::ranges::find(order, *around) - order.begin());
        first = std::min(at - std::min(at, size / 2), order.size() - size);
    }
    Scene part;
    std::vector<std::uint32_t> drawnAs(whole.nodes.size());
    const auto add = [&](SceneNode box) { part.nodes.push_back(std::move(box)); };
    if (first > 0) {
        add(restBox(first, "before"));
    }
    std::vector<bool> isDrawn(whole.nodes.size());
    for (std::size_t i = first; i < first + size; ++i) {
        drawnAs[order[i]] = static_cast<std::uint32_t>(part.nodes.size());
        isDrawn[order[i]] = true;
        add(whole.nodes[order[i]]);
    }
    for (std::size_t i = first + size; i < order.size(); ++i) {
        drawnAs[order[i]] = static_cast<std::uint32_t>(part.nodes.size());
    }
    if (first + size < order.size()) {
        add(restBox(order.size() - first - size, "behind"));
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> lines; // to and from the rest: one between two boxes
    for (const SceneEdge& edge : whole.edges) {
        const bool isWhole = isDrawn[edge.from] && isDrawn[edge.to];
        const bool isCut = isDrawn[edge.from] != isDrawn[edge.to];
        if (isWhole || (isCut && lines.emplace(drawnAs[edge.from], drawnAs[edge.to]).second)) {
            part.edges.push_back({drawnAs[edge.from], drawnAs[edge.to], edge.value});
        }
    }
    layOut(part, LayoutEngine::Automatic, std::move(stop));
    return part;
}

} // namespace crosswalk
