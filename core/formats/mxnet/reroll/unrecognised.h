#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::mxnet {

struct Unrecognised {
    NodeId node; ///< of the first step, that multiplies by the weight which all steps share
    std::string reason;
};

/// Repeated steps that are left in a graph: a weight that is applied again to what was computed by it. One entry a
/// cell, `explained` are nodes of which the user has been told.
std::vector<Unrecognised> unrecognisedSteps(const GraphRewriter& graph, NodeSet explained);

} // namespace crosswalk::mxnet
