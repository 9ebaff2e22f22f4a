#pragma once

#include "core/graph/graph.h"

#include <string>

namespace crosswalk {

/// An attribute's value on one line, cut where it is long; tensors and bodies by what they are.
std::string attributeText(const Graph& graph, const AttributeValue& value);

} // namespace crosswalk
