#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::mxnet {

/// Replaces the results of nodes that are the identity at inference (dropout, masks of ones) by their inputs.
void eliminateIdentities(GraphRewriter& graph);

} // namespace crosswalk::mxnet
