#include "core/layout/groups_alike.h"

#include "core/layout/layered.h"
#include "core/layout/repeats.h"
#include "core/layout/scene.h"
#include "core/layout/scopes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk {
namespace {

constexpr std::size_t minTimes = 3;  // fewer repetitions are not a stack
constexpr std::size_t deepest = 16;  // nested scopes
constexpr std::size_t minPeriod = 3; // boxes of a block that is not a scope

std::uint64_t mix(std::uint64_t hash, std::uint64_t number)
{
    hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29U);
}

/// Hashes operator, attributes, and names and shapes of weights, but not the content of small constants: the steps of
/// an unrolled loop differ in their index but are considered equal.
std::uint64_t signOf(const SceneNode& node)
{
    const std::hash<std::string_view> hash;
    std::uint64_t sign = hash(node.title);
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
        const std::string_view row = node.rows[i];
        const std::size_t value = row.rfind(' ');
        const bool isContent =
            i >= node.attributes && value != std::string_view::npos && row.find('x', value) == std::string_view::npos;
        sign = mix(sign, hash(isContent ? row.substr(0, value) : row));
    }
    return sign;
}

class GroupFinder {
public:
    explicit GroupFinder(const Scene& scene)
        : m_scene(scene)
        , m_local(scene.nodes.size(), none)
        , m_child(scene.nodes.size(), none)
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
        m_signs.resize(scene.nodes.size());
        std::ranges::transform(scene.nodes, m_signs.begin(), signOf);
    }

    SceneGroups findByName()
    {
        placeByName();
        return find(0);
    }

    SceneGroups findByOrigin(const GroupedScene& source, std::span<const std::vector<std::uint32_t>> origins)
    {
        placeByOrigin(source, origins);
        return find(source.groups.groups.size() + 1);
    }

private:
    static constexpr std::uint32_t none = SceneGroup::none;

    /// The first scopes are given: those of the source.
    SceneGroups find(std::size_t firstFound)
    {
        adoptStrays();
        nest();
        dissolveLonely(firstFound);
        // Scopes follow their enclosing scopes: in reverse order, all inner ones are complete.
        for (std::size_t d = m_drafts.size(); d-- > 0;) {
            if (d == 0 || m_drafts[d].children.size() > 1) {
                if (d >= firstFound) {
                    stackRepeats(static_cast<std::uint32_t>(d));
                }
                if (!isStack(m_drafts[d])) {
                    m_drafts[d].times = 1;
                }
                describe(static_cast<std::uint32_t>(d));
            }
        }
        m_result.ofNode.assign(m_scene.nodes.size(), none);
        number(0, none);
        return std::move(m_result);
    }

    struct Child {
        bool isGroup;
        std::uint32_t index; ///< of a draft, or of a scene node
    };
    struct Draft {
        std::string name;
        std::uint32_t parent = 0; ///< enclosing scope by name
        std::uint32_t depth = 0;
        std::vector<Child> children{}; ///< in the order of their first nodes
        std::uint32_t times = 1;
        std::uint64_t kind = 0;
    };

    void placeByName()
    {
        m_drafts.emplace_back();
        m_place.assign(m_scene.nodes.size(), 0);
        m_canMove.assign(m_scene.nodes.size(), true);
        std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> known;
        for (std::uint32_t i = 0; i < m_scene.nodes.size(); ++i) {
            const SceneNode& node = m_scene.nodes[i];
            if (node.kind != SceneNode::Kind::Operator) {
                continue;
            }
            auto scopes = scopesOf(node.fullName);
            scopes.resize(std::min(scopes.size(), deepest));
            for (const std::string_view part : scopes) {
                const auto next = static_cast<std::uint32_t>(m_drafts.size());
                const auto [found, isNew] = known.try_emplace({m_place[i], part}, next);
                if (isNew) {
                    m_drafts.push_back({std::string(part), m_place[i], m_drafts[m_place[i]].depth + 1});
                }
                m_place[i] = found->second;
            }
        }
    }

    /// A node is in the innermost group that contains all of its source boxes. The nodes of a source box are a scope.
    void placeByOrigin(const GroupedScene& source, std::span<const std::vector<std::uint32_t>> origins)
    {
        m_drafts.emplace_back();
        for (const SceneGroup& group : source.groups.groups) {
            const std::uint32_t parent = group.parent == none ? 0 : group.parent + 1;
            m_drafts.push_back({group.name, parent, m_drafts[parent].depth + 1, {}, group.times});
        }
        std::vector<std::uint32_t> made(source.scene.nodes.size(), 0); // by source box: the nodes only from it
        for (const auto& boxes : origins) {
            if (boxes.size() == 1) {
                ++made[boxes.front()];
            }
        }
        m_place.assign(m_scene.nodes.size(), 0);
        m_canMove.assign(m_scene.nodes.size(), false);
        std::vector<std::uint32_t> scopeOf(made.size(), none);
        for (std::uint32_t i = 0; i < m_place.size(); ++i) {
            if (i >= origins.size() || origins[i].empty()) {
                m_canMove[i] = true;
                continue;
            }
            const auto scopeAround = [&](std::uint32_t box) {
                return source.groups.ofNode[box] == none ? 0 : source.groups.ofNode[box] + 1;
            };
            m_place[i] = scopeAround(origins[i].front());
            for (const std::uint32_t box : origins[i]) {
                m_place[i] = around(m_place[i], scopeAround(box));
            }
            const std::uint32_t only = origins[i].front();
            if (origins[i].size() == 1 && made[only] > 1) {
                if (scopeOf[only] == none) {
                    scopeOf[only] = static_cast<std::uint32_t>(m_drafts.size());
                    const SceneNode& box = source.scene.nodes[only];
                    const std::string_view name = withoutScopes(box.fullName);
                    m_drafts.push_back(
                        {name.empty() ? box.title : std::string(name), m_place[i], m_drafts[m_place[i]].depth + 1});
                }
                m_place[i] = scopeOf[only];
            }
        }
    }

    /// A node on a path out of a scope and back into it belongs to that scope, whatever its name: frameworks number
    /// sums and products over the whole model ("_plus7" between "lstm_t3_i2h" and "lstm_t3_slice").
    void adoptStrays()
    {
        // Backwards: the innermost scope around all readers of a node.
        std::vector<std::uint32_t> aim(m_place.size(), none);
        for (auto i = static_cast<std::uint32_t>(m_place.size()); i-- > 0;) {
            const bool canMove = m_canMove[i] && m_scene.nodes[i].kind == SceneNode::Kind::Operator && aim[i] != none &&
                                 isWithin(aim[i], m_place[i]);
            aim[i] = canMove ? aim[i] : m_place[i];
            for (const std::uint32_t source : m_sources.of(i)) {
                aim[source] = aim[source] == none ? aim[i] : around(aim[source], aim[i]);
            }
        }
        // Forwards: the producers are in that scope.
        for (std::uint32_t i = 0; i < m_place.size(); ++i) {
            const auto& sources = m_sources.of(i);
            if (aim[i] != m_place[i] &&
                std::ranges::any_of(sources, [&](std::uint32_t source) { return isWithin(m_place[source], aim[i]); })) {
                m_place[i] = aim[i];
            }
        }
    }

    bool isWithin(std::uint32_t inner, std::uint32_t outer) const
    {
        while (m_drafts[inner].depth > m_drafts[outer].depth) {
            inner = m_drafts[inner].parent;
        }
        return inner == outer;
    }

    std::uint32_t around(std::uint32_t a, std::uint32_t b) const
    {
        while (a != b) {
            std::uint32_t& deeper = m_drafts[a].depth >= m_drafts[b].depth ? a : b;
            deeper = m_drafts[deeper].parent;
        }
        return a;
    }

    void nest()
    {
        std::vector<bool> isNested(m_drafts.size());
        isNested[0] = true;
        const auto nestDraft = [&](auto& self, std::uint32_t draft) -> void {
            if (!isNested[draft]) {
                isNested[draft] = true;
                self(self, m_drafts[draft].parent);
                m_drafts[m_drafts[draft].parent].children.push_back({true, draft});
            }
        };
        for (std::uint32_t i = 0; i < m_place.size(); ++i) {
            nestDraft(nestDraft, m_place[i]);
            m_drafts[m_place[i]].children.push_back({false, i});
        }
    }

    /// Dissolves scopes with a single child; given ones keep their names.
    void dissolveLonely(std::size_t firstFound)
    {
        for (std::size_t d = m_drafts.size(); d-- > 0;) {
            for (Child& child : m_drafts[d].children) {
                while (child.isGroup && m_drafts[child.index].children.size() == 1) {
                    const Child only = m_drafts[child.index].children.front();
                    if (only.isGroup && child.index < firstFound) {
                        m_drafts[only.index].name = m_drafts[child.index].name;
                    } else if (only.isGroup) {
                        m_drafts[only.index].name = m_drafts[child.index].name + "/" + m_drafts[only.index].name;
                    }
                    child = only;
                }
            }
        }
    }

    void stackRepeats(std::uint32_t draft)
    {
        const std::vector<Child> children = std::move(m_drafts[draft].children);
        const auto crossing = linesAcross(children);
        std::vector<std::uint64_t> signs;
        signs.reserve(children.size());
        for (const Child& child : children) {
            signs.push_back(child.isGroup ? m_drafts[child.index].kind : signAmongSiblings(child.index));
        }
        std::vector<Child> kept;
        std::size_t next = 0;
        const auto keepUpTo = [&](std::size_t end) {
            kept.insert(kept.end(), children.begin() + static_cast<std::ptrdiff_t>(next),
                        children.begin() + static_cast<std::ptrdiff_t>(end));
            next = end;
        };
        for (const Repeat& repeat : findRepeats(signs, crossing, minTimes)) {
            const std::size_t end = repeat.first + repeat.times * repeat.period;
            const std::span<const Child> part(children.data() + repeat.first, repeat.times * repeat.period);
            const bool isAll = kept.empty() && repeat.first == 0 && end == children.size() && draft != 0;
            const bool hasGroup = std::ranges::any_of(part.first(repeat.period), &Child::isGroup);
            if ((repeat.period < minPeriod && !hasGroup) || (isAll && repeat.period == 1)) {
                continue;
            }
            keepUpTo(repeat.first);
            kept.push_back({true, addStack(part, repeat)});
            next = end;
        }
        keepUpTo(children.size());
        m_drafts[draft].children = std::move(kept);
        for (const Child& child : children) {
            if (!child.isGroup) {
                m_local[child.index] = none;
            }
        }
    }

    /// Whether a draft is still a stack: the blocks of a source can be equal although their nodes here are not.
    bool isStack(const Draft& draft) const
    {
        const auto kindOf = [&](const Child& child) {
            return child.isGroup ? m_drafts[child.index].kind : m_signs[child.index];
        };
        return draft.children.size() == draft.times && std::ranges::all_of(draft.children, [&](const Child& child) {
                   return kindOf(child) == kindOf(draft.children.front());
               });
    }

    /// Sets m_local of the nodes among `children` to their positions. Returns for each position the number of lines
    /// across it between those nodes and the contents of the groups among them.
    std::vector<std::uint32_t> linesAcross(std::span<const Child> children)
    {
        std::vector<std::uint32_t> members;
        std::vector<std::uint32_t> end; // end of each child's range in `members`
        end.reserve(children.size());
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            if (children[i].isGroup) {
                addMembers(children[i].index, members);
            } else {
                m_local[children[i].index] = i;
                members.push_back(children[i].index);
            }
            end.push_back(static_cast<std::uint32_t>(members.size()));
        }
        std::size_t member = 0;
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            for (; member < end[i]; ++member) {
                m_child[members[member]] = i;
            }
        }
        std::vector<std::uint32_t> across(children.size() + 1, 0);
        for (const std::uint32_t node : members) {
            for (const std::uint32_t source : m_sources.of(node)) {
                if (m_child[source] < m_child[node]) {
                    ++across[m_child[source] + 1];
                    --across[m_child[node] + 1];
                }
            }
        }
        for (std::size_t i = 1; i < across.size(); ++i) {
            across[i] += across[i - 1];
        }
        for (const std::uint32_t node : members) {
            m_child[node] = none;
        }
        return across;
    }

    /// Appends the scene nodes of a draft and its descendants.
    void addMembers(std::uint32_t draft, std::vector<std::uint32_t>& members) const
    {
        std::vector<std::uint32_t> open{draft};
        while (!open.empty()) {
            const Draft& at = m_drafts[open.back()];
            open.pop_back();
            for (const Child& child : at.children) {
                (child.isGroup ? open : members).push_back(child.index);
            }
        }
    }

    /// Hash of a node and of the distances to its producers.
    std::uint64_t signAmongSiblings(std::uint32_t node) const
    {
        std::uint64_t sign = m_signs[node];
        for (const std::uint32_t source : m_sources.of(node)) {
            sign = mix(sign, m_local[source] == none ? 0 : m_local[node] - m_local[source]);
        }
        return sign;
    }

    std::uint32_t addStack(std::span<const Child> part, const Repeat& repeat)
    {
        Draft stack;
        stack.times = static_cast<std::uint32_t>(repeat.times);
        // A block has the name of its single scope.
        const auto groupOf = [&](std::size_t block) {
            return std::ranges::find_if(part.subspan(block * repeat.period, repeat.period), &Child::isGroup);
        };
        const bool hasName = std::ranges::count_if(part.first(repeat.period), &Child::isGroup) == 1;
        stack.name = hasName ? fmt::format("{} to {}", m_drafts[groupOf(0)->index].name,
                                           m_drafts[groupOf(repeat.times - 1)->index].name)
                             : fmt::format("{} equal blocks", repeat.times);
        if (repeat.period == 1) {
            stack.children.assign(part.begin(), part.end());
            return addDraft(std::move(stack));
        }
        for (std::size_t block = 0; block < repeat.times; ++block) {
            const auto members = part.subspan(block * repeat.period, repeat.period);
            stack.children.push_back(
                {true, addDraft({hasName ? m_drafts[groupOf(block)->index].name : fmt::format("block {}", block + 1),
                                 0,
                                 0,
                                 {members.begin(), members.end()}})});
        }
        return addDraft(std::move(stack));
    }

    std::uint32_t addDraft(Draft draft)
    {
        m_drafts.push_back(std::move(draft));
        const auto index = static_cast<std::uint32_t>(m_drafts.size() - 1);
        describe(index);
        return index;
    }

    /// Sets the kind: a hash of the group's nodes and of the edges between them.
    void describe(std::uint32_t draft)
    {
        std::vector<std::uint32_t> members;
        addMembers(draft, members);
        std::ranges::sort(members);
        std::uint64_t kind = members.size();
        std::vector<std::uint32_t> outer(members.size());
        for (std::uint32_t i = 0; i < members.size(); ++i) {
            outer[i] = std::exchange(m_local[members[i]], i);
        }
        for (std::uint32_t i = 0; i < members.size(); ++i) {
            kind = mix(kind, m_signs[members[i]]);
            for (const std::uint32_t source : m_sources.of(members[i])) {
                const std::uint32_t at = m_local[source];
                if (at < members.size() && members[at] == source) {
                    kind = mix(kind, i - at);
                }
            }
        }
        for (std::size_t i = 0; i < members.size(); ++i) {
            m_local[members[i]] = outer[i];
        }
        m_drafts[draft].kind = kind;
    }

    /// Copies a draft and its contents to the result; draft 0 is the scene itself. Returns the number of nodes.
    std::uint32_t number(std::uint32_t draft, std::uint32_t parent)
    {
        const Draft& from = m_drafts[draft];
        std::uint32_t group = none;
        if (draft != 0) {
            group = static_cast<std::uint32_t>(m_result.groups.size());
            SceneGroup& made = m_result.groups.emplace_back();
            made.name = from.name;
            made.parent = parent;
            made.times = from.times;
            made.kind = from.kind;
            if (parent != none) {
                m_result.groups[parent].groups.push_back(group);
            }
        }
        std::uint32_t boxes = 0;
        for (const Child& child : from.children) {
            if (child.isGroup) {
                boxes += number(child.index, group);
                continue;
            }
            ++boxes;
            m_result.ofNode[child.index] = group;
            if (group != none) {
                m_result.groups[group].nodes.push_back(child.index);
            }
        }
        if (group != none) {
            m_result.groups[group].boxes = boxes;
        }
        return boxes;
    }

    const Scene& m_scene;
    layered::Adjacency m_sources;       ///< by scene node: its producers
    std::vector<std::uint64_t> m_signs; ///< by scene node: hash of operator, attributes and weights
    std::vector<std::uint32_t> m_local; ///< by scene node: its index in the current range
    std::vector<std::uint32_t> m_child; ///< by scene node: the current child that contains it
    std::vector<std::uint32_t> m_place; ///< by scene node: the draft that it is put in
    std::vector<bool> m_canMove;        ///< by scene node: whether its neighbours can determine its place
    std::vector<Draft> m_drafts;
    SceneGroups m_result;
};

} // namespace

SceneGroups findGroups(const Scene& scene)
{
    return GroupFinder(scene).findByName();
}

SceneGroups groupsAsIn(const GroupedScene& source, const Scene& scene,
                       std::span<const std::vector<std::uint32_t>> origins)
{
    return GroupFinder(scene).findByOrigin(source, origins);
}

std::vector<std::uint32_t> nodesWithin(const SceneGroups& groups, std::uint32_t group)
{
    std::vector<std::uint32_t> nodes;
    // Preorder: the descendants of a group directly follow it.
    std::uint32_t left = groups.groups[group].boxes;
    for (std::uint32_t g = group; left > 0; ++g) {
        const auto& direct = groups.groups[g].nodes;
        nodes.insert(nodes.end(), direct.begin(), direct.end());
        left -= static_cast<std::uint32_t>(direct.size());
    }
    std::ranges::sort(nodes);
    return nodes;
}

} // namespace crosswalk
