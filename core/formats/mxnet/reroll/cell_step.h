#pragma once

#include "core/formats/mxnet/ops/recurrent/settings.h"
#include "core/graph/graph_rewriter.h"

#include <array>

namespace crosswalk::mxnet {

/// Rows of a FullyConnected's weight and bias, which make one gate.
struct GateRows {
    ValueId weight;
    ValueId bias; ///< absent without
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t ofRows = 0; ///< all that the matrix has

    friend bool operator==(const GateRows&, const GateRows&) = default;
};

/// What a cell multiplies by a matrix for its gates: its input, or the h before.
struct CellOperand {
    ValueId value;
    std::vector<GateRows> gates; ///< in MXNet's order of the mode

    bool hasWeightsOf(const CellOperand& other) const { return gates == other.gates; }
};

std::string_view modeName(CellMode mode); ///< as the attribute of RNN has it
std::string_view cellName(CellMode mode); ///< as the user reads it

/// One step of a recurrent cell that stands as nodes in the graph.
struct UnrolledStep {
    CellMode mode;
    ValueId h;
    ValueId c;       ///< lstm
    ValueId cBefore; ///< lstm
    /// The input and the h before. Which is which follows from the step before; for a gru, and for a step that stands
    /// alone, the second one is the h before.
    std::array<CellOperand, 2> operands;
    /// Of an lstm that projects h: the matrix, all of it; without weight where there is none. h is projected then.
    GateRows projection = {};
    std::vector<NodeId> nodes;

    bool projects() const { return bool(projection.weight); }
};

/// The cell step that computes a value; nothing where it is computed otherwise.
std::optional<UnrolledStep> matchCellStep(const GraphRewriter& graph, ValueId h);
/// The same step where a node projects its h; nothing where the node does not.
std::optional<UnrolledStep> projectedBy(const GraphRewriter& graph, NodeId id, const UnrolledStep& step);

} // namespace crosswalk::mxnet
