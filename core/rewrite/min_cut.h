#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crosswalk {

/// A minimum cut between two vertices of a directed graph, found by Dinic's algorithm.
class MinCut {
public:
    using Vertex = std::uint32_t;
    static constexpr Vertex source = 0;
    static constexpr Vertex sink = 1;
    /// The capacity of an edge that is never cut.
    static constexpr std::int64_t unlimited = std::int64_t{1} << 40U;

    Vertex addVertex();
    void addEdge(Vertex from, Vertex to, std::int64_t capacity);
    /// The capacity of the cut. Call it once.
    std::int64_t solve();
    /// After solve(): whether the vertex is on the source's side.
    bool isOnSourceSide(Vertex vertex) const { return m_levels[vertex] >= 0; }

private:
    struct Edge {
        Vertex to = 0;
        std::int64_t residual = 0;
    };

    bool findLevels();
    std::int64_t augment();

    std::vector<Edge> m_edges; ///< edge i and its reverse i ^ 1
    std::vector<std::vector<std::uint32_t>> m_outgoing{2};
    std::vector<std::int64_t> m_levels;
    std::vector<std::size_t> m_next; ///< by vertex, the first edge that can still lead to the sink
};

} // namespace crosswalk
