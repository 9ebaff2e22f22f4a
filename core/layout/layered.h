#pragma once

#include "core/layout/layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

// Steps of the layered layout; see layered.cpp for the algorithm.
namespace crosswalk::layered {

/// The neighbours of each vertex in one table.
class Adjacency {
public:
    Adjacency() = default;
    /// Each pair of `keys` and `values` is an entry, `vertices` is the number of lists. Keeps the order of entries.
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

/// Edges that close a cycle: without them the graph has none. Edges from a box to itself are among them.
std::vector<bool> findCycleEdges(std::size_t boxes, std::span<const LayoutEdge> edges);

/// Edges of a box with too many lines to follow. They do not influence the positions of boxes.
std::vector<bool> findHubEdges(std::size_t boxes, std::span<const LayoutEdge> edges);

/// Layer of each box: every edge leads to a higher number, and edges that are not loose are short.
std::vector<std::uint32_t> assignRanks(std::size_t boxes, std::span<const LayoutEdge> edges,
                                       const std::vector<bool>& isLoose, const std::stop_token& stop = {});

/// Moves some boxes to a separate layer above all others, and some to one below.
void pinRanks(std::vector<std::uint32_t>& ranks, std::span<const std::uint32_t> first,
              std::span<const std::uint32_t> last);

/// Edges that become reference tags: those of a hub that are not short, and very long ones.
std::vector<bool> findTags(std::span<const LayoutEdge> edges, const std::vector<bool>& isOfHub,
                           std::span<const std::uint32_t> ranks);

/// Where a line leaves the vertex above and enters the one below, in 256ths of the vertex's width: fixed ports of a box
/// are evenly distributed in their order, other lines use the middle.
struct PortPlaces {
    static constexpr std::uint8_t middle = 128;
    std::uint8_t leaves = middle;
    std::uint8_t enters = middle;

    friend bool operator==(const PortPlaces&, const PortPlaces&) = default;
};

/// The graph in layers: long edges have one waypoint per layer. Vertices are the boxes, followed by the waypoints.
struct Layers {
    std::uint32_t boxCount = 0;
    std::vector<std::uint32_t> rank;          ///< by vertex
    std::vector<std::uint32_t> firstWaypoint; ///< by edge; an edge from rank r to s has s - r - 1 consecutive waypoints
    std::vector<std::uint32_t> firstSlot;     ///< by layer: its start in `slots`; one extra at the end
    std::vector<std::uint32_t> slots;         ///< vertices, layer by layer, from left to right
    std::vector<std::uint32_t> position;      ///< by vertex: position in its layer
    Adjacency above;                          ///< by vertex: neighbours one layer up
    Adjacency below;
    std::vector<PortPlaces> ports; ///< of lines between layers; empty if all lines use the middle
    Adjacency portsBelow;          ///< by vertex and neighbour in `below`: index of their line's ports

    std::size_t layerCount() const { return firstSlot.size() - 1; }
    std::size_t sizeOf(std::size_t layer) const { return firstSlot[layer + 1] - firstSlot[layer]; }
    std::span<const std::uint32_t> order(std::size_t layer) const
    {
        return {slots.data() + firstSlot[layer], sizeOf(layer)};
    }
    std::span<std::uint32_t> order(std::size_t layer) { return {slots.data() + firstSlot[layer], sizeOf(layer)}; }
    bool isBox(std::uint32_t vertex) const { return vertex < boxCount; }
    std::size_t vertexCount() const { return rank.size(); }
    std::vector<std::uint32_t> sizes() const; ///< by layer
};

Layers makeLayers(std::size_t boxes, std::span<const LayoutEdge> edges, const std::vector<bool>& isCut,
                  std::vector<std::uint32_t> ranks);

/// Fixed layers, with the axes of their vertices in layer order; empty if not fixed.
struct FixedLayers {
    std::span<const float> first = {};
    std::span<const float> last = {};

    bool any() const { return !first.empty() || !last.empty(); }
    bool holds(std::size_t layer, const Layers& layers) const
    {
        return (layer == 0 && !first.empty()) || (layer + 1 == layers.layerCount() && !last.empty());
    }
};

/// Orders each layer to minimize crossings.
void orderLayers(Layers& layers, const FixedLayers& fixed, std::stop_token stop);

/// The minimum distance between the axes of two neighbours in a layer.
struct Separation {
    std::span<const LayoutBox> boxes;
    float nodeGap;
    float between(std::uint32_t left, std::uint32_t right) const
    {
        constexpr float besideLine = 0.75F;
        const bool leftIsBox = left < boxes.size();
        const bool rightIsBox = right < boxes.size();
        const float halves = (leftIsBox ? boxes[left].rightOfAxis() : 0) + (rightIsBox ? boxes[right].leftOfAxis() : 0);
        return halves + nodeGap * (leftIsBox && rightIsBox ? 1 : besideLine);
    }
};

/// Axis of each vertex: the middle of most boxes.
std::vector<float> placeAcross(const Layers& layers, const Separation& separation, const FixedLayers& fixed,
                               std::stop_token stop);

/// Makes nearly vertical lines vertical, and adapts the rest.
void straighten(const Layers& layers, const Separation& separation, const FixedLayers& fixed, std::vector<float>& x,
                std::stop_token stop);

/// Positions and routes from the axes.
Layout route(const Layers& layers, std::span<const LayoutBox> boxes, std::span<const LayoutEdge> edges,
             const std::vector<bool>& isCut, std::span<const float> axes, const LayoutOptions& options);

} // namespace crosswalk::layered
