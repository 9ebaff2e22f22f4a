#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::mxnet {

/// Lets the results of nodes that do nothing at inference (dropout, masks of ones) be what they were given.
void eliminateIdentities(GraphRewriter& graph);

} // namespace crosswalk::mxnet
