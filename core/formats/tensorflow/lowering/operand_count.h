#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Throws ModelError "damaged" for a node with fewer inputs than its operator has, bodies not included.
void expectOperands(const Graph& graph);

} // namespace crosswalk::tensorflow
