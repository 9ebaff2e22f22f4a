#include "core/layout/tight_forest.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace crosswalk::layered {
namespace {

/// Joins the two groups with the least slack between them again and again: the group above moves down to the one below.
///
/// A move changes the slacks of all edges of the group. Those of its outgoing edges decrease by the same amount, so
/// they are stored relative to the shift of the group. Those of its incoming edges increase: what is stored for them
/// becomes a lower bound, which is corrected when it is the least. Thus nothing is visited at a move, and the time is
/// nearly linear.
class TightForest {
public:
    TightForest(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges)
        : m_levels(levels)
        , m_edges(edges)
        , m_isInForest(edges.size(), false)
        , m_groups(levels.size())
    {
        for (std::uint32_t v = 0; v < m_groups.size(); ++v) {
            m_groups[v].parent = v;
        }
        for (const LevelEdge& edge : edges) {
            ++m_groups[edge.from].weight;
        }
    }

    std::vector<bool> grow(const std::stop_token& stop)
    {
        for (std::uint32_t e = 0; e < m_edges.size(); ++e) {
            const std::uint32_t from = find(m_edges[e].from);
            const std::uint32_t to = find(m_edges[e].to);
            if (from != to && slack(e) == 0) {
                join(e, from, to);
            }
        }
        listCandidates();
        while (!m_nearest.empty() && !stop.stop_requested()) {
            const Nearest next = m_nearest.top();
            m_nearest.pop();
            if (isCurrent(next)) {
                tryToJoin(next);
            }
        }
        std::vector<std::int32_t> shifted(m_levels.size());
        for (std::uint32_t v = 0; v < shifted.size(); ++v) {
            shifted[v] = levelOf(v);
        }
        m_levels = std::move(shifted);
        return std::move(m_isInForest);
    }

private:
    struct Candidate {
        std::int32_t slack = 0; ///< at most the current one; in a group's list plus the shift of the group
        std::uint32_t edge = 0;
        friend auto operator<=>(const Candidate&, const Candidate&) = default; // NOLINT(modernize-use-nullptr)
    };
    struct Nearest {
        Candidate candidate;
        std::uint32_t group = 0;
        friend auto operator<=>(const Nearest&, const Nearest&) = default; // NOLINT(modernize-use-nullptr)
    };
    /// A group is represented by one of its vertices, its root. Other vertices lead there through their parents.
    struct Group {
        std::uint32_t parent = 0;
        std::int32_t shift = 0;            ///< of all that lead here
        std::size_t weight = 1;            ///< vertices and outgoing edges
        std::vector<Candidate> candidates; ///< of a root: a heap of its outgoing edges, with some inner ones
    };

    std::uint32_t find(std::uint32_t v) const
    {
        while (m_groups[v].parent != v) {
            v = m_groups[v].parent;
        }
        return v;
    }

    std::int32_t levelOf(std::uint32_t v) const
    {
        std::int32_t level = m_levels[v] + m_groups[v].shift;
        while (m_groups[v].parent != v) {
            v = m_groups[v].parent;
            level += m_groups[v].shift;
        }
        return level;
    }

    std::int32_t slack(std::uint32_t e) const
    {
        return levelOf(m_edges[e].to) - levelOf(m_edges[e].from) - m_edges[e].least;
    }

    void listCandidates()
    {
        for (std::uint32_t e = 0; e < m_edges.size(); ++e) {
            const std::uint32_t from = find(m_edges[e].from);
            if (from != find(m_edges[e].to)) {
                m_groups[from].candidates.push_back({slack(e) + m_groups[from].shift, e});
            }
        }
        for (std::uint32_t v = 0; v < m_groups.size(); ++v) {
            std::ranges::make_heap(m_groups[v].candidates, std::greater());
            announce(v);
        }
    }

    /// Must be called after the first candidate of a group or its shift changed.
    void announce(std::uint32_t root)
    {
        const Group& group = m_groups[root];
        if (!group.candidates.empty()) {
            const auto [slack, edge] = group.candidates.front();
            m_nearest.push({{slack - group.shift, edge}, root});
        }
    }

    bool isCurrent(const Nearest& next) const
    {
        const Group& group = m_groups[next.group];
        return !group.candidates.empty() &&
               group.candidates.front() == Candidate{next.candidate.slack + group.shift, next.candidate.edge};
    }

    void tryToJoin(const Nearest& next)
    {
        const auto [bound, e] = next.candidate;
        Group& group = m_groups[next.group];
        std::ranges::pop_heap(group.candidates, std::greater());
        group.candidates.pop_back();
        const std::uint32_t to = find(m_edges[e].to);
        if (to == next.group) {
            announce(next.group);
        } else if (slack(e) > bound) {
            insert(group, {slack(e) + group.shift, e});
            announce(next.group);
        } else {
            group.shift += bound;
            announce(join(e, next.group, to));
        }
    }

    static void insert(Group& group, Candidate candidate)
    {
        group.candidates.push_back(candidate);
        std::ranges::push_heap(group.candidates, std::greater());
    }

    /// The smaller group becomes a part of the larger one, so each vertex and edge changes its group rarely. Returns
    /// the common root.
    std::uint32_t join(std::uint32_t e, std::uint32_t a, std::uint32_t b)
    {
        m_isInForest[e] = true;
        const auto [small, large] = m_groups[a].weight < m_groups[b].weight ? std::pair(a, b) : std::pair(b, a);
        Group& part = m_groups[small];
        Group& whole = m_groups[large];
        part.parent = large;
        part.shift -= whole.shift;
        whole.weight += part.weight;
        for (const Candidate& candidate : part.candidates) {
            insert(whole, {candidate.slack - part.shift, candidate.edge});
        }
        part.candidates = {};
        return large;
    }

    std::vector<std::int32_t>& m_levels; ///< without the shifts
    const std::vector<LevelEdge>& m_edges;
    std::vector<bool> m_isInForest;
    std::vector<Group> m_groups; ///< by vertex
    /// The first candidates of all groups, and former ones.
    std::priority_queue<Nearest, std::vector<Nearest>, std::greater<>> m_nearest;
};

} // namespace

std::vector<bool> growTightForest(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges,
                                  const std::stop_token& stop)
{
    return TightForest(levels, edges).grow(stop);
}

} // namespace crosswalk::layered
