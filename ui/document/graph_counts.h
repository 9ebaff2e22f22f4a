#pragma once

#include "core/graph/graph.h"

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// What the summary counts of a graph. Worked out in the background: a large one has a hundred thousand nodes.
struct GraphCounts {
    explicit GraphCounts(const Graph& graph);

    std::vector<std::pair<std::string, std::size_t>> operators; ///< by how often, most first
    std::uint64_t elements = 0;                                 ///< of all stored tensors
    std::uint64_t bytes = 0;
};

} // namespace crosswalk::ui
