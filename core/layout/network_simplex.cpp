#include "core/layout/network_simplex.h"

#include "core/layout/tight_forest.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::layered {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

class NetworkSimplex {
public:
    NetworkSimplex(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges)
        : m_levels(levels)
        , m_edges(edges)
        , m_parentEdge(levels.size())
        , m_first(levels.size())
        , m_last(levels.size())
        , m_cut(edges.size(), 0)
    {
        listEdges();
    }

    void run(std::size_t pivots, const std::stop_token& stop)
    {
        m_isInTree = growTightForest(m_levels, m_edges, stop);
        numberTree();
        countCuts();
        for (std::size_t from = 0; pivots > 0 && !stop.stop_requested(); --pivots) {
            const std::uint32_t leaving = nextToLeave(from);
            if (leaving == none || !exchange(leaving)) {
                return;
            }
        }
    }

private:
    std::int32_t slack(std::uint32_t e) const
    {
        const LevelEdge& edge = m_edges[e];
        return m_levels[edge.to] - m_levels[edge.from] - edge.least;
    }

    void listEdges()
    {
        m_firstEdge.assign(m_levels.size() + 1, 0);
        for (const LevelEdge& edge : m_edges) {
            ++m_firstEdge[edge.from + 1];
            ++m_firstEdge[edge.to + 1];
        }
        std::partial_sum(m_firstEdge.begin(), m_firstEdge.end(), m_firstEdge.begin());
        m_edgesOf.resize(2 * m_edges.size());
        std::vector<std::uint32_t> next(m_firstEdge.begin(), m_firstEdge.end() - 1);
        for (std::uint32_t e = 0; e < m_edges.size(); ++e) {
            m_edgesOf[next[m_edges[e].from]++] = e;
            m_edgesOf[next[m_edges[e].to]++] = e;
        }
    }

    /// Numbers the vertices so that each subtree is a range, children before parents.
    void numberTree()
    {
        m_postOrder.clear();
        std::ranges::fill(m_parentEdge, none);
        m_isNumbered.assign(m_levels.size(), false);
        for (std::uint32_t root = 0; root < m_levels.size(); ++root) {
            if (!m_isNumbered[root]) {
                numberFrom(root);
            }
        }
    }

    void numberFrom(std::uint32_t root)
    {
        m_open.clear();
        m_open.emplace_back(root, m_firstEdge[root]);
        m_isNumbered[root] = true;
        m_first[root] = static_cast<std::uint32_t>(m_postOrder.size());
        while (!m_open.empty()) {
            auto& [v, next] = m_open.back();
            if (next == m_firstEdge[v + 1]) {
                m_last[v] = static_cast<std::uint32_t>(m_postOrder.size());
                m_postOrder.push_back(v);
                m_open.pop_back();
                continue;
            }
            const std::uint32_t e = m_edgesOf[next++];
            const std::uint32_t other = m_edges[e].from == v ? m_edges[e].to : m_edges[e].from;
            if (m_isInTree[e] && !m_isNumbered[other]) {
                m_isNumbered[other] = true;
                m_parentEdge[other] = e;
                m_first[other] = static_cast<std::uint32_t>(m_postOrder.size());
                m_open.emplace_back(other, m_firstEdge[other]);
            }
        }
    }

    bool isUnder(std::uint32_t v, std::uint32_t top) const
    {
        return m_first[top] <= m_last[v] && m_last[v] <= m_last[top];
    }

    /// The cut value of a tree edge: the cost of lengthening it by one with all other tree edges tight.
    void countCuts()
    {
        for (const std::uint32_t v : m_postOrder) {
            const std::uint32_t parent = m_parentEdge[v];
            if (parent != none) {
                m_cut[parent] = cutBelow(v);
            }
        }
    }

    std::int32_t cutBelow(std::uint32_t v) const
    {
        const std::uint32_t parent = m_parentEdge[v];
        const bool pointsUp = m_edges[parent].from == v;
        std::int32_t leaving = 0; // outgoing weight of the subtree minus incoming weight
        for (std::uint32_t i = m_firstEdge[v]; i < m_firstEdge[v + 1]; ++i) {
            const std::uint32_t e = m_edgesOf[i];
            const std::uint32_t other = m_edges[e].from == v ? m_edges[e].to : m_edges[e].from;
            leaving += m_edges[e].from == v ? m_edges[e].weight : -m_edges[e].weight;
            if (e != parent && m_isInTree[e] && m_parentEdge[other] == e) {
                leaving += m_edges[e].from == other ? m_cut[e] : -m_cut[e];
            }
        }
        return pointsUp ? leaving : -leaving;
    }

    std::uint32_t nextToLeave(std::size_t& from) const
    {
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            const std::size_t e = from;
            from = from + 1 == m_edges.size() ? 0 : from + 1;
            if (m_isInTree[e] && m_cut[e] < 0) {
                return static_cast<std::uint32_t>(e);
            }
        }
        return none;
    }

    /// Removes the tree edge and adds the edge with the least slack in the opposite direction between the two parts.
    bool exchange(std::uint32_t leaving)
    {
        const LevelEdge& edge = m_edges[leaving];
        const std::uint32_t low = m_parentEdge[edge.from] == leaving ? edge.from : edge.to;
        const bool lowIsTail = low == edge.from;
        std::uint32_t entering = none;
        for (std::uint32_t i = m_first[low]; i <= m_last[low]; ++i) {
            const std::uint32_t v = m_postOrder[i];
            for (std::uint32_t j = m_firstEdge[v]; j < m_firstEdge[v + 1]; ++j) {
                const std::uint32_t e = m_edgesOf[j];
                const bool leadsBack = lowIsTail ? m_edges[e].to == v && !isUnder(m_edges[e].from, low)
                                                 : m_edges[e].from == v && !isUnder(m_edges[e].to, low);
                if (leadsBack && (entering == none || slack(e) < slack(entering))) {
                    entering = e;
                }
            }
        }
        if (entering == none) {
            return false; // the sum would be unbounded: impossible, weights are not negative
        }
        const std::int32_t shift = slack(entering);
        for (std::uint32_t i = m_first[low]; i <= m_last[low]; ++i) {
            m_levels[m_postOrder[i]] += lowIsTail ? -shift : shift;
        }
        m_isInTree[leaving] = false;
        m_isInTree[entering] = true;
        numberTree();
        countCuts();
        return true;
    }

    std::vector<std::int32_t>& m_levels;
    const std::vector<LevelEdge>& m_edges;
    std::vector<std::uint32_t> m_firstEdge; ///< by vertex: start of its edges in m_edgesOf
    std::vector<std::uint32_t> m_edgesOf;
    std::vector<bool> m_isInTree;
    std::vector<bool> m_isNumbered;
    std::vector<std::uint32_t> m_parentEdge;
    std::vector<std::uint32_t> m_postOrder;
    std::vector<std::uint32_t> m_first; ///< by vertex: first position of its subtree in m_postOrder
    std::vector<std::uint32_t> m_last;  ///< its own position, the last of its subtree
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_open;
    std::vector<std::int32_t> m_cut;
};

} // namespace

void lowerLevels(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges, std::size_t pivots,
                 const std::stop_token& stop)
{
    if (!edges.empty()) {
        NetworkSimplex(levels, edges).run(pivots, stop);
    }
}

} // namespace crosswalk::layered
