#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::tensorflow {

/// Finds the lists of loops that nothing but TensorArrayConcatV3 or TensorListConcat reads: their elements may differ
/// in size. The attribute `joined_outputs` of a `While` lists their numbers among its stacked outputs. Lists of loops
/// in bodies, and those whose lengths are read, remain stacked.
void markJoinedLists(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
