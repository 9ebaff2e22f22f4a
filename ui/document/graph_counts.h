#pragma once

#include "core/report/layer_sizes.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// Statistics of a graph for the summary. Computed in the background: a graph may have a hundred thousand nodes.
struct GraphCounts {
    static constexpr std::size_t mostLayers = 12;

    /// `isStoredAlone` as storedAlone() returns it.
    GraphCounts(const Graph& graph, const std::vector<bool>& isStoredAlone);

    std::vector<std::pair<std::string, std::size_t>> operators; ///< by descending frequency
    ParameterCount parameters;
    std::vector<LayerSize> largest;                    ///< the layers with the largest weights, by descending size
    std::map<std::string, std::vector<NodeId>> unused; ///< as unneededScopes() returns them
};

} // namespace crosswalk::ui
