#pragma once

#include "core/layout/constants.h"

#include <string>
#include <vector>

namespace crosswalk {

/// The stored tensors that a node reads, one line each: "weight 64x3x7x7", small ones with their content: "axes -1". A
/// value computed only from stored tensors is represented by these.
std::vector<std::string> weightRows(const Node& node, const Graph& graph, const Constants& constants);

} // namespace crosswalk
