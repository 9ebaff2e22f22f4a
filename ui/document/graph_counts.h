#pragma once

#include "core/graph/parameters.h"

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// Statistics of a graph for the summary. Computed in the background: a graph may have a hundred thousand nodes.
struct GraphCounts {
    explicit GraphCounts(const Graph& graph);

    std::vector<std::pair<std::string, std::size_t>> operators; ///< by descending frequency
    ParameterCount parameters;
};

} // namespace crosswalk::ui
