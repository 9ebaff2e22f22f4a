#include "core/rewrite/min_cut.h"

#include <algorithm>

namespace crosswalk {

MinCut::Vertex MinCut::addVertex()
{
    m_outgoing.emplace_back();
    return static_cast<Vertex>(m_outgoing.size() - 1);
}

void MinCut::addEdge(Vertex from, Vertex to, std::int64_t capacity)
{
    m_outgoing[from].push_back(static_cast<std::uint32_t>(m_edges.size()));
    m_edges.push_back({to, capacity});
    m_outgoing[to].push_back(static_cast<std::uint32_t>(m_edges.size()));
    m_edges.push_back({from, 0});
}

std::int64_t MinCut::solve()
{
    std::int64_t total = 0;
    while (findLevels()) {
        m_next.assign(m_outgoing.size(), 0);
        for (std::int64_t pushed = augment(); pushed > 0; pushed = augment()) {
            total += pushed;
        }
    }
    return total;
}

/// Distances from the source in the residual graph. Returns whether the sink is reachable.
bool MinCut::findLevels()
{
    m_levels.assign(m_outgoing.size(), -1);
    m_levels[source] = 0;
    std::vector<Vertex> queue{source};
    for (std::size_t at = 0; at < queue.size(); ++at) {
        for (const std::uint32_t index : m_outgoing[queue[at]]) {
            const Edge& edge = m_edges[index];
            if (edge.residual > 0 && m_levels[edge.to] < 0) {
                m_levels[edge.to] = m_levels[queue[at]] + 1;
                queue.push_back(edge.to);
            }
        }
    }
    return m_levels[sink] >= 0;
}

/// Pushes flow along one shortest path; 0 if there is none left. Iterative, because paths can be as long as the graph.
std::int64_t MinCut::augment()
{
    std::vector<std::uint32_t> path;
    Vertex at = source;
    while (at != sink) {
        const auto& outgoing = m_outgoing[at];
        std::size_t& next = m_next[at];
        while (next < outgoing.size() &&
               (m_edges[outgoing[next]].residual == 0 || m_levels[m_edges[outgoing[next]].to] != m_levels[at] + 1)) {
            ++next;
        }
        if (next < outgoing.size()) {
            path.push_back(outgoing[next]);
            at = m_edges[outgoing[next]].to;
        } else if (path.empty()) {
            return 0;
        } else {
            at = m_edges[path.back() ^ 1U].to;
            path.pop_back();
            ++m_next[at];
        }
    }
    std::int64_t pushed = unlimited;
    for (const std::uint32_t index : path) {
        pushed = std::min(pushed, m_edges[index].residual);
    }
    for (const std::uint32_t index : path) {
        m_edges[index].residual -= pushed;
        m_edges[index ^ 1U].residual += pushed;
    }
    return pushed;
}

} // namespace crosswalk
