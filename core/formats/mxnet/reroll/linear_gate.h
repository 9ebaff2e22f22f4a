#pragma once

#include "core/formats/mxnet/reroll/cell_step.h"

#include <optional>
#include <vector>

namespace crosswalk::mxnet {

/// A gate before its activation: a sum of products of a value and a matrix.
struct LinearGate {
    struct Term {
        ValueId value;
        GateRows rows;
    };
    std::vector<Term> terms;
    std::vector<NodeId> nodes; ///< the nodes that compute it
};

/// Matches a value as a sum of FullyConnected nodes, or of rows of them; nothing otherwise.
std::optional<LinearGate> readLinearGate(const GraphRewriter& graph, ValueId value);

} // namespace crosswalk::mxnet
