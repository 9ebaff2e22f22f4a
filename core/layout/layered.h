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

/// Edges without which no walk comes back to where it began; among them those from a box to itself.
std::vector<bool> findCycleEdges(std::size_t boxes, std::span<const LayoutEdge> edges);

/// Lines into or out of a box that has too many to follow: loose ends that hold nothing in place.
std::vector<bool> findHubEdges(std::size_t boxes, std::span<const LayoutEdge> edges);

/// Layer of each box: every edge leads from a lower number to a higher one, and those that are not loose are short.
std::vector<std::uint32_t> assignRanks(std::size_t boxes, std::span<const LayoutEdge> edges,
                                       const std::vector<bool>& isLoose);

/// Puts some boxes into a layer of their own above all others, some into one below.
void pinRanks(std::vector<std::uint32_t>& ranks, std::span<const std::uint32_t> first,
              std::span<const std::uint32_t> last);

/// Which edges become reference tags: into or out of a hub that is not near, or very long.
std::vector<bool> findTags(std::span<const LayoutEdge> edges, const std::vector<bool>& isOfHub,
                           std::span<const std::uint32_t> ranks);

/// Where a line leaves the vertex above and enters the one below, in 256ths of the vertex: the places that are given of
/// a box in their order and evenly spread, the middle for the rest.
struct PortPlaces {
    static constexpr std::uint8_t middle = 128;
    std::uint8_t leaves = middle;
    std::uint8_t enters = middle;

    friend bool operator==(const PortPlaces&, const PortPlaces&) = default;
};

/// The graph in layers: long edges pass through one waypoint a layer. Vertices are the boxes, then the waypoints.
struct Layers {
    std::uint32_t boxCount = 0;
    std::vector<std::uint32_t> rank;          ///< by vertex
    std::vector<std::uint32_t> firstWaypoint; ///< by edge; the edge from rank r to s has s - r - 1 of them in a row
    std::vector<std::uint32_t> firstSlot;     ///< by layer: where it starts in `slots`; one more at the end
    std::vector<std::uint32_t> slots;         ///< vertices, layer by layer, from left to right
    std::vector<std::uint32_t> position;      ///< by vertex: place in its layer
    Adjacency above;                          ///< by vertex: neighbours one layer up
    Adjacency below;
    std::vector<PortPlaces> ports; ///< of lines from layer to layer; empty where all may be attached anywhere
    Adjacency portsBelow;          ///< by vertex and neighbour in `below`: which of these is their line's

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

/// Layers that stand still, with the axes of their vertices in the order in which they stand; empty where they do not.
struct FixedLayers {
    std::span<const float> first = {};
    std::span<const float> last = {};

    bool any() const { return !first.empty() || !last.empty(); }
    bool holds(std::size_t layer, const Layers& layers) const
    {
        return (layer == 0 && !first.empty()) || (layer + 1 == layers.layerCount() && !last.empty());
    }
};

/// Orders each layer so that few edges cross.
void orderLayers(Layers& layers, const FixedLayers& fixed, std::stop_token stop);

/// How near the axes of two neighbours in a layer may come.
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

/// Makes upright what nearly is, and moves the rest after it.
void straighten(const Layers& layers, const Separation& separation, const FixedLayers& fixed, std::vector<float>& x,
                std::stop_token stop);

/// Positions and routes from the axes.
Layout route(const Layers& layers, std::span<const LayoutBox> boxes, std::span<const LayoutEdge> edges,
             const std::vector<bool>& isCut, std::span<const float> axes, const LayoutOptions& options);

} // namespace crosswalk::layered
