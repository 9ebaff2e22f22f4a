#include "core/layout/layered.h"

namespace crosswalk::layered {

std::vector<bool> findTags(std::span<const LayoutEdge> edges, std::span<const std::uint32_t> ranks)
{
    constexpr std::uint32_t mostReaders = 8;
    constexpr std::uint32_t mostSources = 16;
    constexpr std::uint32_t nearby = 2;   // layers: a hub's next neighbours stay connected by lines
    constexpr std::uint32_t longest = 48; // layers

    std::vector<std::uint32_t> readers(ranks.size(), 0);
    std::vector<std::uint32_t> sources(ranks.size(), 0);
    for (const LayoutEdge& edge : edges) {
        ++readers[edge.from];
        ++sources[edge.to];
    }
    std::vector<bool> isCut(edges.size(), false);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto [from, to] = edges[e];
        const std::uint32_t span = ranks[to] - ranks[from];
        const bool ofHub = readers[from] > mostReaders || sources[to] > mostSources;
        isCut[e] = span > longest || (ofHub && span > nearby);
    }
    return isCut;
}

} // namespace crosswalk::layered
