#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// The value behind a chain of Identity nodes.
ValueId behindIdentities(const Graph& graph, ValueId value);

} // namespace crosswalk::tensorflow
