#pragma once

#include "core/formats/mxnet/reroll/cell_step.h"

namespace crosswalk::mxnet {

/// What a gate is before its activation: a sum of products of a value by a matrix.
struct LinearGate {
    struct Term {
        ValueId value;
        GateRows rows;
    };
    std::vector<Term> terms;
    std::vector<NodeId> nodes; ///< that compute it
};

/// Reads a value as sum of FullyConnected nodes, or of rows of theirs. Nothing where it is anything else.
std::optional<LinearGate> readLinearGate(const GraphRewriter& graph, ValueId value);

} // namespace crosswalk::mxnet
