#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// Runs the passes of core/rewrite/optimize.h over the model of a conversion whose nodes are linked, and links them
/// again. `graph` is the source. Adds obstacles to the conversion's problems: "not-optimized", "replaceable-weights".
void optimizeModel(const Graph& graph, const NodeNames& names, OnnxModel& model, bool fusesAttention,
                   Conversion& conversion);

} // namespace crosswalk
