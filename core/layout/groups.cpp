#include "core/layout/groups.h"

#include "core/layout/layered.h"
#include "core/layout/repeats.h"
#include "core/layout/scene.h"
#include "core/layout/scopes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk {
namespace {

constexpr std::size_t leastTimes = 3;  // what repeats less often is no stack
constexpr std::size_t deepest = 16;    // scopes within each other
constexpr std::size_t leastPeriod = 3; // boxes of a block that no name announces

std::uint64_t mix(std::uint64_t hash, std::uint64_t number)
{
    hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29U);
}

/// Operator, attributes, names and shapes of weights; not the content of small constants: the steps of an unrolled loop
/// differ in their index and are equal all the same.
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
    {
        std::vector<std::uint32_t> from;
        std::vector<std::uint32_t> to;
        from.reserve(scene.edges.size());
        to.reserve(scene.edges.size());
        for (const SceneEdge& edge : scene.edges) {
            from.push_back(edge.from);
            to.push_back(edge.to);
        }
        m_sources = layered::Adjacency(scene.nodes.size(), to, from);
        m_signs.resize(scene.nodes.size());
        std::ranges::transform(scene.nodes, m_signs.begin(), signOf);
    }

    SceneGroups find()
    {
        placeByName();
        dissolveLonely();
        // Scopes stand behind those around them: from the back, all inner ones are done.
        for (std::size_t d = m_drafts.size(); d-- > 0;) {
            if (d == 0 || m_drafts[d].children.size() > 1) {
                stackRepeats(static_cast<std::uint32_t>(d));
                describe(static_cast<std::uint32_t>(d));
            }
        }
        m_result.ofNode.assign(m_scene.nodes.size(), none);
        number(0, none);
        return std::move(m_result);
    }

private:
    static constexpr std::uint32_t none = SceneGroup::none;
    struct Child {
        bool isGroup;
        std::uint32_t index; ///< of a draft, or of a scene node
    };
    struct Draft {
        std::string name;
        std::vector<Child> children; ///< in the order of their first nodes
        std::uint32_t times = 1;
        std::uint64_t kind = 0;
    };

    void placeByName()
    {
        m_drafts.emplace_back();
        std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> known;
        for (std::uint32_t i = 0; i < m_scene.nodes.size(); ++i) {
            const SceneNode& node = m_scene.nodes[i];
            std::uint32_t at = 0;
            if (node.kind == SceneNode::Kind::Operator) {
                auto scopes = scopesOf(node.fullName);
                scopes.resize(std::min(scopes.size(), deepest));
                for (const std::string_view part : scopes) {
                    const auto next = static_cast<std::uint32_t>(m_drafts.size());
                    const auto [found, isNew] = known.try_emplace({at, part}, next);
                    if (isNew) {
                        m_drafts[at].children.push_back({true, next});
                        m_drafts.push_back({std::string(part), {}});
                    }
                    at = found->second;
                }
            }
            m_drafts[at].children.push_back({false, i});
        }
    }

    /// A scope around a single thing is none.
    void dissolveLonely()
    {
        for (std::size_t d = m_drafts.size(); d-- > 0;) {
            for (Child& child : m_drafts[d].children) {
                while (child.isGroup && m_drafts[child.index].children.size() == 1) {
                    const Child only = m_drafts[child.index].children.front();
                    if (only.isGroup) {
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
        for (const Repeat& repeat : findRepeats(signs, crossing, leastTimes)) {
            const std::size_t end = repeat.first + repeat.times * repeat.period;
            const std::span<const Child> part(children.data() + repeat.first, repeat.times * repeat.period);
            const bool isAll = kept.empty() && repeat.first == 0 && end == children.size() && draft != 0;
            if ((repeat.period < leastPeriod && !part.front().isGroup) || (isAll && repeat.period == 1)) {
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

    /// Sets m_local of the nodes among `children` to their places. For each place: lines between those nodes across it.
    std::vector<std::uint32_t> linesAcross(std::span<const Child> children)
    {
        std::vector<std::uint32_t> across(children.size() + 1, 0);
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            if (!children[i].isGroup) {
                m_local[children[i].index] = i;
            }
        }
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            if (children[i].isGroup) {
                continue;
            }
            for (const std::uint32_t source : m_sources.of(children[i].index)) {
                if (m_local[source] < i) {
                    ++across[m_local[source] + 1];
                    --across[i + 1];
                }
            }
        }
        for (std::size_t i = 1; i < across.size(); ++i) {
            across[i] += across[i - 1];
        }
        return across;
    }

    /// What a node is and how far before it what it reads stands.
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
        if (repeat.period == 1) {
            stack.children.assign(part.begin(), part.end());
            stack.name = fmt::format("{} to {}", m_drafts[part.front().index].name, m_drafts[part.back().index].name);
        } else {
            for (std::size_t block = 0; block < repeat.times; ++block) {
                const auto members = part.subspan(block * repeat.period, repeat.period);
                stack.children.push_back(
                    {true, addDraft({fmt::format("block {}", block + 1), {members.begin(), members.end()}})});
            }
            stack.name = fmt::format("{} equal blocks", repeat.times);
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

    /// Sets the kind: what its nodes are, and which of them read which.
    void describe(std::uint32_t draft)
    {
        std::vector<std::uint32_t> members;
        std::vector<std::uint32_t> open{draft};
        while (!open.empty()) {
            const Draft& at = m_drafts[open.back()];
            open.pop_back();
            for (const Child& child : at.children) {
                (child.isGroup ? open : members).push_back(child.index);
            }
        }
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

    /// Takes a draft and what is in it over into the result; draft 0 is the scene itself. How many nodes it holds.
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
    layered::Adjacency m_sources;       ///< by scene node: what it reads
    std::vector<std::uint64_t> m_signs; ///< by scene node: what it is
    std::vector<std::uint32_t> m_local; ///< by scene node: its place in what is looked at
    std::vector<Draft> m_drafts;
    SceneGroups m_result;
};

} // namespace

SceneGroups findGroups(const Scene& scene)
{
    return GroupFinder(scene).find();
}

std::vector<std::uint32_t> nodesWithin(const SceneGroups& groups, std::uint32_t group)
{
    std::vector<std::uint32_t> nodes;
    // Preorder: what is in a group stands behind it in a row.
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
