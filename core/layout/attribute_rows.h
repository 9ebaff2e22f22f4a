#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace crosswalk {

/// The attributes of a node that say something, as "name value": neither the operator's default nor bookkeeping.
std::vector<std::string> attributeRows(const Node& node, const Graph& graph);

} // namespace crosswalk
