#include "core/layout/layered.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::layered {

Adjacency::Adjacency(std::size_t vertices, std::span<const std::uint32_t> keys, std::span<const std::uint32_t> values)
    : m_first(vertices + 1, 0)
    , m_entries(values.size())
{
    for (const std::uint32_t key : keys) {
        ++m_first[key + 1];
    }
    for (std::size_t i = 0; i < vertices; ++i) {
        m_first[i + 1] += m_first[i];
    }
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        m_entries[next[keys[i]]++] = values[i];
    }
}

namespace {

/// Distributes the fixed ports at one end of each edge over the boxes. Returns whether there are any.
bool distributePorts(std::span<const LayoutEdge> edges, std::uint32_t LayoutEdge::*box, float LayoutEdge::*offset,
                     std::uint8_t PortPlaces::*place, std::vector<PortPlaces>& places)
{
    std::vector<std::uint32_t> ported;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (edges[e].*offset >= 0) {
            ported.push_back(e);
        }
    }
    std::ranges::stable_sort(ported, {}, [&](std::uint32_t e) { return std::pair(edges[e].*box, edges[e].*offset); });
    for (std::size_t first = 0, end = 0; first < ported.size(); first = end) {
        std::vector<std::size_t> number; // rank of each port
        for (end = first; end < ported.size() && edges[ported[end]].*box == edges[ported[first]].*box; ++end) {
            const bool isNext = end > first && edges[ported[end]].*offset > edges[ported[end - 1]].*offset;
            number.push_back(number.empty() ? 0 : number.back() + (isNext ? 1 : 0));
        }
        for (std::size_t i = 0; i < number.size(); ++i) {
            places[ported[first + i]].*place =
                static_cast<std::uint8_t>((2 * number[i] + 1) * PortPlaces::middle / (number.back() + 1));
        }
    }
    return !ported.empty();
}

/// By edge; empty if all lines use the middle.
std::vector<PortPlaces> edgePorts(std::span<const LayoutEdge> edges)
{
    std::vector<PortPlaces> places(edges.size());
    const bool below = distributePorts(edges, &LayoutEdge::to, &LayoutEdge::enters, &PortPlaces::enters, places);
    const bool above = distributePorts(edges, &LayoutEdge::from, &LayoutEdge::leaves, &PortPlaces::leaves, places);
    return above || below ? places : std::vector<PortPlaces>();
}

} // namespace

std::vector<std::uint32_t> Layers::sizes() const
{
    std::vector<std::uint32_t> sizes(layerCount());
    for (std::size_t layer = 0; layer < sizes.size(); ++layer) {
        sizes[layer] = static_cast<std::uint32_t>(sizeOf(layer));
    }
    return sizes;
}

Layers makeLayers(std::size_t boxes, std::span<const LayoutEdge> edges, const std::vector<bool>& isCut,
                  std::vector<std::uint32_t> ranks)
{
    Layers layers;
    layers.boxCount = static_cast<std::uint32_t>(boxes);
    layers.rank = std::move(ranks);
    layers.firstWaypoint.resize(edges.size());
    std::vector<std::uint32_t> upper;
    std::vector<std::uint32_t> lower;
    const std::vector<PortPlaces> portsByEdge = edgePorts(edges);
    std::size_t steps = 0; // between layers
    for (std::size_t e = 0; e < edges.size(); ++e) {
        steps += isCut[e] ? 0 : layers.rank[edges[e].to] - layers.rank[edges[e].from];
    }
    upper.reserve(steps);
    lower.reserve(steps);
    layers.rank.reserve(boxes + steps);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (isCut[e]) {
            continue;
        }
        const std::uint32_t from = edges[e].from;
        const std::uint32_t to = edges[e].to;
        layers.firstWaypoint[e] = static_cast<std::uint32_t>(layers.rank.size());
        std::uint32_t previous = from;
        for (std::uint32_t r = layers.rank[from] + 1; r < layers.rank[to]; ++r) {
            const auto waypoint = static_cast<std::uint32_t>(layers.rank.size());
            layers.rank.push_back(r);
            upper.push_back(previous);
            lower.push_back(waypoint);
            previous = waypoint;
        }
        upper.push_back(previous);
        lower.push_back(to);
        if (!portsByEdge.empty()) {
            const std::size_t first = layers.ports.size();
            layers.ports.resize(lower.size());
            layers.ports[first].leaves = portsByEdge[e].leaves;
            layers.ports.back().enters = portsByEdge[e].enters;
        }
    }
    std::vector<std::uint32_t> lines(layers.ports.size());
    std::iota(lines.begin(), lines.end(), 0U);
    layers.portsBelow = Adjacency(layers.vertexCount(), std::span(upper).first(lines.size()), lines);
    layers.below = Adjacency(layers.vertexCount(), upper, lower);
    layers.above = Adjacency(layers.vertexCount(), lower, upper);
    const std::size_t count = layers.rank.empty() ? 0 : *std::ranges::max_element(layers.rank) + std::size_t{1};
    layers.firstSlot.assign(count + 1, 0);
    layers.position.resize(layers.vertexCount());
    for (std::uint32_t v = 0; v < layers.vertexCount(); ++v) {
        layers.position[v] = layers.firstSlot[layers.rank[v] + 1]++;
    }
    std::partial_sum(layers.firstSlot.begin(), layers.firstSlot.end(), layers.firstSlot.begin());
    layers.slots.resize(layers.vertexCount());
    for (std::uint32_t v = 0; v < layers.vertexCount(); ++v) {
        layers.slots[layers.firstSlot[layers.rank[v]] + layers.position[v]] = v;
    }
    return layers;
}

} // namespace crosswalk::layered
