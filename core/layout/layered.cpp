#include "core/layout/layered.h"

#include "core/base/cpu_time.h"

namespace crosswalk {
Layout layoutGraph(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                   const LayoutOptions& options, std::stop_token stop)
{
    const double start = threadCpuSeconds();
    const std::vector<bool> nothing(edges.size(), false);
    const auto isOfHub = options.cutLongEdges ? layered::findHubEdges(boxes.size(), edges) : nothing;
    auto ranks = layered::assignRanks(boxes.size(), edges, isOfHub);
    const auto isCut = options.cutLongEdges ? layered::findTags(edges, isOfHub, ranks) : nothing;
    auto layers = layered::makeLayers(boxes.size(), edges, isCut, std::move(ranks));
    layered::orderLayers(layers, stop);
    const layered::Separation separation{boxes, options.nodeGap};
    auto centres = layered::placeAcross(layers, separation, stop);
    layered::straighten(layers, separation, centres, stop);
    if (stop.stop_requested()) {
        return {};
    }
    Layout layout = layered::route(layers, boxes, edges, isCut, centres, options);
    layout.cpuSeconds = threadCpuSeconds() - start;
    return layout;
}

} // namespace crosswalk
