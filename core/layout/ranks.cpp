#include "core/layout/layered.h"

#include <algorithm>
#include <cassert>

namespace crosswalk::layered {
namespace {

constexpr std::uint32_t unreached = ~std::uint32_t{0};

Adjacency outgoing(std::size_t boxes, std::span<const LayoutEdge> edges)
{
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> values;
    keys.reserve(edges.size());
    values.reserve(edges.size());
    for (const LayoutEdge& edge : edges) {
        keys.push_back(edge.from);
        values.push_back(edge.to);
    }
    return {boxes, keys, values};
}

/// Boxes so that every edge leads onwards.
std::vector<std::uint32_t> topologicalOrder(const Adjacency& out, std::size_t boxes, std::span<const LayoutEdge> edges)
{
    std::vector<std::uint32_t> waiting(boxes, 0);
    for (const LayoutEdge& edge : edges) {
        ++waiting[edge.to];
    }
    std::vector<std::uint32_t> order;
    order.reserve(boxes);
    for (std::uint32_t v = 0; v < boxes; ++v) {
        if (waiting[v] == 0) {
            order.push_back(v);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const std::uint32_t next : out.of(order[i])) {
            if (--waiting[next] == 0) {
                order.push_back(next);
            }
        }
    }
    assert(order.size() == boxes); // a graph has no cycles
    return order;
}

} // namespace

std::vector<std::uint32_t> longestPathRanks(std::size_t boxes, std::span<const LayoutEdge> edges)
{
    const Adjacency out = outgoing(boxes, edges);
    std::vector<std::uint32_t> ranks(boxes, 0);
    for (const std::uint32_t v : topologicalOrder(out, boxes, edges)) {
        for (const std::uint32_t next : out.of(v)) {
            ranks[next] = std::max(ranks[next], ranks[v] + 1);
        }
    }
    return ranks;
}

std::vector<std::uint32_t> assignRanks(std::size_t boxes, std::span<const LayoutEdge> edges,
                                       const std::vector<bool>& isCut)
{
    const Adjacency out = outgoing(boxes, edges);
    const auto order = topologicalOrder(out, boxes, edges);
    std::vector<std::uint32_t> ranks(boxes, 0);
    for (const std::uint32_t v : order) {
        for (const std::uint32_t next : out.of(v)) {
            ranks[next] = std::max(ranks[next], ranks[v] + 1);
        }
    }
    // A box with more lines out than in sinks towards its readers: that makes more lines shorter than longer.
    std::vector<std::uint32_t> linesIn(boxes, 0);
    std::vector<std::uint32_t> linesOut(boxes, 0);
    std::vector<std::uint32_t> nearest(boxes, unreached);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (!isCut[e]) {
            ++linesOut[edges[e].from];
            ++linesIn[edges[e].to];
        }
    }
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
        std::uint32_t limit = unreached;
        for (const std::uint32_t next : out.of(*v)) {
            limit = std::min(limit, ranks[next] - 1);
        }
        if (limit != unreached && linesOut[*v] > linesIn[*v]) {
            ranks[*v] = limit;
        }
    }
    return ranks;
}

} // namespace crosswalk::layered
