// A layered layout in the style of Sugiyama, Tagawa and Toda (1981), in linear time:
//
// 1. Edges that close a cycle get no line. Edges of hubs, and very long ones, become reference tags (tags.cpp): nobody
//    could follow their lines, and without them everything below is local.
// 2. Each box gets a layer (ranks.cpp): longest path first, then the network simplex of Gansner, Koutsofios, North and
//    Vo (1993), on windows of the graph instead of the whole.
// 3. Lines are split into one step per layer by waypoints (layers.cpp).
// 4. The layers are ordered to have few crossings (order.cpp cuts pieces at thin layers, order_piece.cpp processes a
//    piece): barycenter sweeps, swaps of neighbours, and chains reinserted along a shortest path through the gaps of
//    their layers; the best of several starts is kept. Crossings are counted as inversions, after Barth, Juenger and
//    Mutzel (2002).
// 5. Each vertex gets its coordinate across (placement.cpp): sweeps of isotonic least squares (pool adjacent
//    violators), pulled to the middle where the graph is thin, since long graphs would drift otherwise. Then columns of
//    boxes and lines with nearly the same axis are aligned (straighten.cpp).
// 6. Lines get their ports on the boxes' sides and run between the layers (routes.cpp).
//
// Networks repeat their blocks: results for equal windows (2) and pieces (4) are reused.

#include "core/layout/layered.h"

#include "core/base/cpu_time.h"

#include <algorithm>

namespace crosswalk {
namespace {

Layout layoutAcyclic(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                     const LayoutOptions& options, std::stop_token stop)
{
    const std::vector<bool> nothing(edges.size(), false);
    const auto isOfHub = options.cutLongEdges ? layered::findHubEdges(boxes.size(), edges) : nothing;
    auto ranks = layered::assignRanks(boxes.size(), edges, isOfHub, stop);
    layered::pinRanks(ranks, options.first, options.last);
    const auto isCut = options.cutLongEdges ? layered::findTags(edges, isOfHub, ranks) : nothing;
    auto layers = layered::makeLayers(boxes.size(), edges, isCut, std::move(ranks));
    const layered::FixedLayers fixed{options.firstAxes, options.lastAxes};
    layered::orderLayers(layers, fixed, stop);
    const layered::Separation separation{boxes, options.nodeGap};
    auto axes = layered::placeAcross(layers, separation, fixed, stop);
    layered::straighten(layers, separation, fixed, axes, stop);
    return stop.stop_requested() ? Layout() : layered::route(layers, boxes, edges, isCut, axes, options);
}

/// Lays out the graph without the edges that close cycles, which get empty routes.
Layout layoutCyclic(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                    const std::vector<bool>& closesCycle, const LayoutOptions& options, std::stop_token stop)
{
    std::vector<LayoutEdge> kept;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (!closesCycle[e]) {
            kept.push_back(edges[e]);
        }
    }
    Layout layout = layoutAcyclic(boxes, kept, options, stop);
    if (!layout.positions.empty()) {
        std::vector<std::vector<LayoutPoint>> routes(edges.size());
        for (std::size_t e = 0, next = 0; e < edges.size(); ++e) {
            if (!closesCycle[e]) {
                routes[e] = std::move(layout.routes[next++]);
            }
        }
        layout.routes = std::move(routes);
    }
    return layout;
}

} // namespace

void exchangeAxes(Layout& layout)
{
    std::swap(layout.width, layout.height);
    for (LayoutPoint& at : layout.positions) {
        std::swap(at.x, at.y);
    }
    for (auto& route : layout.routes) {
        for (LayoutPoint& point : route) {
            std::swap(point.x, point.y);
        }
    }
}

Layout layoutGraph(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                   const LayoutOptions& options, std::stop_token stop)
{
    const double start = threadCpuSeconds();
    const auto closesCycle = layered::findCycleEdges(boxes.size(), edges);
    Layout layout = std::ranges::find(closesCycle, true) == closesCycle.end()
                        ? layoutAcyclic(boxes, edges, options, stop)
                        : layoutCyclic(boxes, edges, closesCycle, options, stop);
    layout.cpuSeconds = threadCpuSeconds() - start;
    return layout;
}

} // namespace crosswalk
