#include "core/layout/folding.h"
#include "core/layout/groups_alike.h"
#include "core/layout/layered.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace crosswalk {
namespace {

constexpr std::uint32_t minBoxes = 4; // smaller groups take no less room closed than open
constexpr double maxShare = 0.9;      // share of all operators: larger groups contain nearly the whole graph
constexpr std::uint64_t maxComparisons = 20'000'000;

bool isOperator(const SceneNode& node)
{
    return node.kind == SceneNode::Kind::Operator;
}

/// Whether no path leaves a group and returns to it. Closed, a group with such a path would read its own results.
/// Ignores edges that close loops: every part of a loop's body would be on such a path.
class Cohesion {
public:
    explicit Cohesion(const Scene& scene)
        : m_mark(scene.nodes.size(), 0)
    {
        std::vector<std::uint32_t> from;
        std::vector<std::uint32_t> to;
        from.reserve(scene.edges.size());
        to.reserve(scene.edges.size());
        for (const SceneEdge& edge : scene.edges) {
            if (!edge.closesLoop) {
                from.push_back(edge.from);
                to.push_back(edge.to);
            }
        }
        m_sources = layered::Adjacency(scene.nodes.size(), to, from);
    }

    bool holds(const std::vector<std::uint32_t>& members)
    {
        // Boxes are in topological order: only those between the first and the last member can be on the path. If
        // groups are many and wide, the search would take too long.
        m_steps += members.back() - members.front();
        if (m_steps > maxComparisons) {
            return true;
        }
        m_now += 2; // a member has this mark, successors of members have the next
        for (const std::uint32_t member : members) {
            m_mark[member] = m_now;
        }
        for (std::uint32_t i = members.front(); i <= members.back(); ++i) {
            const bool isMember = m_mark[i] == m_now;
            for (const std::uint32_t source : m_sources.of(i)) {
                const bool comesFromOutside = m_mark[source] == m_now + 1;
                if (isMember && comesFromOutside) {
                    return false;
                }
                if (!isMember && m_mark[source] >= m_now) {
                    m_mark[i] = m_now + 1;
                }
            }
        }
        return true;
    }

private:
    layered::Adjacency m_sources;
    std::vector<std::uint32_t> m_mark; ///< by box
    std::uint32_t m_now = 0;
    std::uint64_t m_steps = 0;
};

/// By group: whether a loop closes within it but not within a group inside it.
std::vector<bool> findLoops(const Scene& whole, const SceneGroups& groups)
{
    std::vector<bool> isLoop(groups.groups.size());
    for (const SceneEdge& edge : whole.edges) {
        if (!edge.closesLoop) {
            continue;
        }
        std::vector<std::uint32_t> around;
        for (std::uint32_t group = groups.ofNode[edge.from]; group != SceneGroup::none;
             group = groups.groups[group].parent) {
            around.push_back(group);
        }
        std::uint32_t common = groups.ofNode[edge.to];
        while (common != SceneGroup::none && std::ranges::find(around, common) == around.end()) {
            common = groups.groups[common].parent;
        }
        if (common != SceneGroup::none) {
            isLoop[common] = true;
        }
    }
    return isLoop;
}

/// `isGiven` decides about a group around nearly everything.
SceneGroups keepFoldable(const Scene& whole, const SceneGroups& groups,
                         const std::function<bool(std::uint32_t)>& isGiven)
{
    const auto operators = static_cast<std::uint32_t>(std::ranges::count_if(whole.nodes, isOperator));
    const std::vector<bool> isLoop = findLoops(whole, groups);
    Cohesion cohesion(whole);
    SceneGroups kept;
    std::vector<std::uint32_t> newIndex(groups.groups.size(),
                                        SceneGroup::none);     // of the group, or of the closest enclosing group
    for (std::uint32_t g = 0; g < groups.groups.size(); ++g) { // parents first
        const SceneGroup& group = groups.groups[g];
        const std::uint32_t parent = group.parent == SceneGroup::none ? SceneGroup::none : newIndex[group.parent];
        // A prefix that nearly all operators share is not informative.
        const bool isAll = parent == SceneGroup::none && group.boxes >= operators * maxShare && group.times == 1 &&
                           !isLoop[g] && !isGiven(g);
        if (isAll || group.boxes < minBoxes || !cohesion.holds(nodesWithin(groups, g))) {
            newIndex[g] = parent;
            continue;
        }
        newIndex[g] = static_cast<std::uint32_t>(kept.groups.size());
        SceneGroup& made = kept.groups.emplace_back();
        made.name = group.name;
        made.parent = parent;
        made.boxes = group.boxes;
        made.times = group.times;
        made.kind = group.kind;
        if (parent != SceneGroup::none) {
            kept.groups[parent].groups.push_back(newIndex[g]);
        }
    }
    kept.ofNode.assign(groups.ofNode.size(), SceneGroup::none);
    for (std::uint32_t i = 0; i < groups.ofNode.size(); ++i) {
        const std::uint32_t group =
            groups.ofNode[i] == SceneGroup::none ? SceneGroup::none : newIndex[groups.ofNode[i]];
        kept.ofNode[i] = group;
        if (group != SceneGroup::none) {
            kept.groups[group].nodes.push_back(i);
        }
    }
    return kept;
}

} // namespace

SceneGroups foldableGroups(const Scene& whole, const SceneGroups& groups)
{
    return keepFoldable(whole, groups, [](std::uint32_t /*group*/) { return false; });
}

SceneGroups foldableGroupsAsIn(const GroupedScene& source, const Scene& scene,
                               std::span<const std::vector<std::uint32_t>> origins)
{
    const SceneGroups groups = groupsAsIn(source, scene, origins);
    return keepFoldable(scene, groups, [&](std::uint32_t group) {
        // Nodes made from a single source node are not a group of the source.
        std::optional<std::uint32_t> origin;
        for (const std::uint32_t member : nodesWithin(groups, group)) {
            for (const std::uint32_t box : origins[member]) {
                if (origin.value_or(box) != box) {
                    return true;
                }
                origin = box;
            }
        }
        return false;
    });
}

} // namespace crosswalk
