#include "core/report/scene_part.h"

#include "core/layout/layered.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

/// All boxes in a topological order that follows the longest paths, with their side branches where they join. The steps
/// of an unrolled loop are then in sequence, whatever their order in the file.
std::vector<std::uint32_t> orderByLongestPaths(const Scene& scene)
{
    const auto count = static_cast<std::uint32_t>(scene.nodes.size());
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    std::vector<bool> isRead(count);
    for (const SceneEdge& edge : scene.edges) {
        if (!edge.closesLoop) {
            from.push_back(edge.from);
            to.push_back(edge.to);
            isRead[edge.from] = true;
        }
    }
    const layered::Adjacency sources(count, to, from);
    std::vector<std::uint32_t> depths(count); // length of the longest path to a box
    for (std::uint32_t box = 0; box < count; ++box) {
        for (const std::uint32_t source : sources.of(box)) {
            depths[box] = std::max(depths[box], depths[source] + 1);
        }
    }
    std::vector<std::uint32_t> order;
    std::vector<bool> isEntered(count);
    std::vector<std::pair<std::uint32_t, bool>> open; // a box, and whether its sources have been visited
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
        std::ranges::for_each(next, enter); // the deepest is visited first
    }
    return order;
}

/// Boxes that are not drawn, as a group.
SceneGroup rest(std::string name, std::span<const std::uint32_t> boxes)
{
    SceneGroup group;
    group.name = std::move(name);
    group.nodes.assign(boxes.begin(), boxes.end());
    std::ranges::sort(group.nodes);
    group.boxes = static_cast<std::uint32_t>(group.nodes.size());
    return group;
}

} // namespace

FoldedPicture partForPicture(const Scene& whole, std::optional<std::uint32_t> around, std::uint32_t count,
                             std::stop_token stop)
{
    const std::vector<std::uint32_t> order = orderByLongestPaths(whole);
    const std::size_t size = std::min<std::size_t>(count, order.size());
    std::size_t first = 0;
    if (around) {
        const auto at = static_cast<std::size_t>(std::ranges::find(order, *around) - order.begin());
        first = std::min(at - std::min(at, size / 2), order.size() - size);
    }
    const std::span all(order);
    auto groups = std::make_shared<SceneGroups>();
    groups->ofNode.assign(whole.nodes.size(), SceneGroup::none);
    std::array rests{rest("not drawn, before", all.first(first)), rest("not drawn, behind", all.subspan(first + size))};
    for (SceneGroup& group : rests) {
        for (const std::uint32_t box : group.nodes) {
            groups->ofNode[box] = static_cast<std::uint32_t>(groups->groups.size());
        }
        if (group.boxes > 0) {
            groups->groups.push_back(std::move(group));
        }
    }
    const OpenGroups open(groups->groups.size(), false);
    FoldedScene folded = foldScene(whole, *groups, open, nullptr, std::move(stop));
    return {std::move(groups), std::move(folded)};
}

} // namespace crosswalk
