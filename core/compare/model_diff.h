#pragma once

#include "core/compare/match_nodes.h"
#include "crosswalk/reports.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace crosswalk {

/// The differences between two graphs. A renamed node is not a difference.
struct ModelDiff {
    NodeMatch match;
    std::vector<Change> ofFirst;                      ///< by node: Same, Changed or Removed
    std::vector<Change> ofSecond;                     ///< by node: Same, Changed or Added
    std::vector<std::vector<Difference>> differences; ///< by node of the first
    std::vector<Difference> model;                    ///< opsets, inputs, outputs and functions

    bool isEqual() const;
    std::size_t count(Change change) const; ///< nodes
};

/// Also compares the content of weights. Throws ModelError "cancelled" if stopped.
ModelDiff compareGraphs(const Graph& first, const Graph& second, const std::stop_token& stop = {});

} // namespace crosswalk
