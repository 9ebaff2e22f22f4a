#include "ui/document/graph_counts.h"

#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <map>

namespace crosswalk::ui {

GraphCounts::GraphCounts(const Graph& graph, const std::vector<bool>& isStoredAlone)
    : parameters(countParameters(graph))
    , largest(layerSizes(graph, isStoredAlone))
    , unused(unneededScopes(graph))
{
    largest.resize(std::min(largest.size(), mostLayers));
    std::map<std::string_view, std::size_t> counts;
    for (const Node& node : graph.nodes()) {
        ++counts[node.op];
    }
    operators.assign(counts.begin(), counts.end());
    std::stable_sort(operators.begin(), operators.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
}

} // namespace crosswalk::ui
