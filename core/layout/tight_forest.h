#pragma once

#include "core/layout/network_simplex.h"

#include <stop_token>
#include <vector>

namespace crosswalk::layered {

/// A spanning forest of tight edges (level[to] - level[from] == least), by edge whether it belongs to it. Raises the
/// levels of groups that no tight edge connects until one does; the levels must be feasible and remain so. The forest
/// is incomplete if stopped.
std::vector<bool> growTightForest(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges,
                                  const std::stop_token& stop);

} // namespace crosswalk::layered
