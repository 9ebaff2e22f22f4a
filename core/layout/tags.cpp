#include "core/layout/layered.h"

namespace crosswalk::layered {

std::vector<bool> findHubEdges(std::size_t boxes, std::span<const LayoutEdge> edges)
{
    constexpr std::uint32_t maxReaders = 8;
    constexpr std::uint32_t maxSources = 16;
    std::vector<std::uint32_t> readers(boxes, 0);
    std::vector<std::uint32_t> sources(boxes, 0);
    for (const LayoutEdge& edge : edges) {
        ++readers[edge.from];
        ++sources[edge.to];
    }
    std::vector<bool> isOfHub(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        isOfHub[e] = readers[edges[e].from] > maxReaders || sources[edges[e].to] > maxSources;
    }
    return isOfHub;
}

std::vector<bool> findTags(std::span<const LayoutEdge> edges, const std::vector<bool>& isOfHub,
                           std::span<const std::uint32_t> ranks)
{
    constexpr std::uint32_t nearby = 2;   // layers: a hub's close neighbours stay connected by lines
    constexpr std::uint32_t longest = 48; // layers
    std::vector<bool> isCut(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const std::uint32_t span = ranks[edges[e].to] - ranks[edges[e].from];
        isCut[e] = span > longest || (isOfHub[e] && span > nearby);
    }
    return isCut;
}

} // namespace crosswalk::layered
