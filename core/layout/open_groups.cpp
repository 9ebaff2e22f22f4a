#include "core/layout/folding.h"

#include <algorithm>
#include <unordered_map>

namespace crosswalk {
namespace {

constexpr std::size_t fewBoxes = 150;  // with so few, everything is drawn at first
constexpr std::size_t seenAtOnce = 30; // boxes that are readable together in one view

/// By group, its own and all enclosing names. Blocks have the same name inside and outside a stack.
std::vector<std::string> pathsOf(const SceneGroups& groups)
{
    std::vector<std::string> paths;
    paths.reserve(groups.groups.size());
    for (const SceneGroup& group : groups.groups) {
        std::uint32_t around = group.parent;
        while (around != SceneGroup::none && groups.groups[around].times > 1) {
            around = groups.groups[around].parent;
        }
        paths.push_back(around == SceneGroup::none ? group.name : paths[around] + '\n' + group.name);
    }
    return paths;
}

} // namespace

OpenGroups openAtFirst(const Scene& whole, const SceneGroups& groups)
{
    OpenGroups open(groups.groups.size(), whole.nodes.size() <= fewBoxes);
    if (open.empty() || open.front()) {
        return open;
    }
    std::size_t seen = static_cast<std::size_t>(std::ranges::count(groups.ofNode, SceneGroup::none));
    std::vector<std::uint32_t> closed;
    for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
        if (groups.groups[g].parent == SceneGroup::none) {
            closed.push_back(g);
        }
    }
    seen += closed.size();
    // Open the largest first, so that the groups that stay closed have similar sizes.
    const auto isSmaller = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t sizes[] = {groups.groups[a].boxes, groups.groups[b].boxes};
        return sizes[0] != sizes[1] ? sizes[0] < sizes[1] : a > b;
    };
    std::ranges::make_heap(closed, isSmaller);
    while (!closed.empty()) {
        std::ranges::pop_heap(closed, isSmaller);
        const std::uint32_t g = closed.back();
        closed.pop_back();
        const SceneGroup& group = groups.groups[g];
        const std::size_t inside = group.groups.size() + group.nodes.size();
        if (seen + inside - 1 > seenAtOnce) {
            continue;
        }
        open[g] = true;
        seen += inside - 1;
        for (const std::uint32_t inner : group.groups) {
            closed.push_back(inner);
            std::ranges::push_heap(closed, isSmaller);
        }
    }
    return open;
}

std::vector<OpenGroups> closedByDepth(const SceneGroups& groups, const OpenGroups& open)
{
    std::vector<std::size_t> depths; // groups follow the group that contains them
    for (const SceneGroup& group : groups.groups) {
        depths.push_back(group.parent == SceneGroup::none ? 0 : depths[group.parent] + 1);
    }
    std::vector<OpenGroups> steps{open};
    for (std::size_t depth = depths.empty() ? 0 : std::ranges::max(depths) + 1; depth-- > 0;) {
        OpenGroups less = steps.back();
        for (std::size_t g = 0; g < less.size(); ++g) {
            less[g] = less[g] && depths[g] < depth;
        }
        if (less != steps.back()) {
            steps.push_back(std::move(less));
        }
    }
    return steps;
}

OpenGroups carryOpen(const SceneGroups& from, const OpenGroups& open, const SceneGroups& to, const OpenGroups& initial)
{
    std::unordered_map<std::string, bool> known;
    const auto paths = pathsOf(from);
    for (std::size_t g = 0; g < paths.size(); ++g) {
        known.emplace(paths[g], open[g]);
    }
    OpenGroups carried = initial;
    const auto wanted = pathsOf(to);
    for (std::size_t g = 0; g < wanted.size(); ++g) {
        if (const auto found = known.find(wanted[g]); found != known.end()) {
            carried[g] = found->second;
        }
    }
    return carried;
}

} // namespace crosswalk
