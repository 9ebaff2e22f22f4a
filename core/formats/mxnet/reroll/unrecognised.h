#pragma once

#include "core/graph/graph_rewriter.h"

#include <string>
#include <vector>

namespace crosswalk::mxnet {

struct Unrecognised {
    NodeId node; ///< the node of the first step that multiplies by the weight shared by all steps
    std::string reason;
};

/// Repeated steps that remain in a graph: a weight applied again to a value computed with it. One entry per cell;
/// `explained`: nodes that were already reported.
std::vector<Unrecognised> unrecognisedSteps(const GraphRewriter& graph, NodeSet explained);

} // namespace crosswalk::mxnet
