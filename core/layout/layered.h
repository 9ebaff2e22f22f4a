#pragma once

#include "core/layout/layout.h"

#include <span>

// Steps of the layered layout; layered.cpp says how they hang together.
namespace crosswalk::layered {

/// For each vertex its neighbours, in one table.
class Adjacency {
public:
    Adjacency() = default;
    /// `keys` and `values` give one entry each, `vertices` is the number of lists. Entries keep their order.
    Adjacency(std::size_t vertices, std::span<const std::uint32_t> keys, std::span<const std::uint32_t> values);
    std::span<const std::uint32_t> of(std::uint32_t vertex) const
    {
        return {m_entries.data() + m_first[vertex], m_first[vertex + 1] - m_first[vertex]};
    }
    std::span<std::uint32_t> of(std::uint32_t vertex)
    {
        return {m_entries.data() + m_first[vertex], m_first[vertex + 1] - m_first[vertex]};
    }

private:
    std::vector<std::uint32_t> m_first;
    std::vector<std::uint32_t> m_entries;
};

/// Layer of each box: every edge leads from a lower number to a higher one, and edges that are not cut are short.
std::vector<std::uint32_t> assignRanks(std::size_t boxes, std::span<const LayoutEdge> edges,
                                       const std::vector<bool>& isCut);
/// Longest path from the sources alone.
std::vector<std::uint32_t> longestPathRanks(std::size_t boxes, std::span<const LayoutEdge> edges);

/// Which edges become reference tags: into or out of a hub, or very long. `ranks` as longestPathRanks gives them.
std::vector<bool> findTags(std::span<const LayoutEdge> edges, std::span<const std::uint32_t> ranks);

/// The graph in layers: long edges pass through one waypoint a layer. Vertices are the boxes, then the waypoints.
struct Layers {
    std::uint32_t boxCount = 0;
    std::vector<std::uint32_t> rank;          ///< by vertex
    std::vector<std::uint32_t> firstWaypoint; ///< by edge; the edge from rank r to s has s - r - 1 of them in a row
    std::vector<std::vector<std::uint32_t>> order; ///< by layer: vertices from left to right
    std::vector<std::uint32_t> position;           ///< by vertex: place in its layer
    Adjacency above;                               ///< by vertex: neighbours one layer up
    Adjacency below;

    bool isBox(std::uint32_t vertex) const { return vertex < boxCount; }
    std::size_t vertexCount() const { return rank.size(); }
};

Layers makeLayers(std::size_t boxes, std::span<const LayoutEdge> edges, const std::vector<bool>& isCut,
                  std::vector<std::uint32_t> ranks);

/// Orders each layer so that few edges cross.
void orderLayers(Layers& layers, std::stop_token stop);

/// Centre of each vertex.
std::vector<float> placeAcross(const Layers& layers, std::span<const LayoutBox> boxes, const LayoutOptions& options,
                               std::stop_token stop);

/// Positions and routes from the centres.
Layout route(const Layers& layers, std::span<const LayoutBox> boxes, std::span<const LayoutEdge> edges,
             const std::vector<bool>& isCut, std::span<const float> centres, const LayoutOptions& options);

} // namespace crosswalk::layered
