#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace crosswalk {

/// The informative attributes of a node, as "name value": omits defaults of the operator and bookkeeping.
std::vector<std::string> attributeRows(const Node& node, const Graph& graph);

} // namespace crosswalk
