#pragma once

#include "core/graph/parameters.h"

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// What the summary counts of a graph. Worked out in the background: a large one has a hundred thousand nodes.
struct GraphCounts {
    explicit GraphCounts(const Graph& graph);

    std::vector<std::pair<std::string, std::size_t>> operators; ///< by how often, most first
    ParameterCount parameters;
};

} // namespace crosswalk::ui
