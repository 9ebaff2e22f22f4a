#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Throws ModelError for a node that the definition of its operator does not allow, bodies not included: "damaged" with
/// fewer inputs than the operator has, "invalid-attribute" with a text that is none of those allowed.
void expectDefinitions(const Graph& graph);

} // namespace crosswalk::tensorflow
