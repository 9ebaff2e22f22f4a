#pragma once

#include "core/formats/mxnet/ops/recurrent/settings.h"
#include "core/graph/graph_rewriter.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// Rows of a FullyConnected's weight and bias that form one gate.
struct GateRows {
    ValueId weight;
    ValueId bias; ///< absent without
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t ofRows = 0; ///< the number of rows of the matrix

    friend bool operator==(const GateRows&, const GateRows&) = default;
};

/// An operand that a cell multiplies by a matrix for its gates: its input, or the previous h.
struct CellOperand {
    ValueId value;
    std::vector<GateRows> gates; ///< in MXNet's order of the mode

    bool hasWeightsOf(const CellOperand& other) const { return gates == other.gates; }
};

std::string_view modeName(CellMode mode); ///< the value of RNN's mode attribute
std::string_view cellName(CellMode mode); ///< for messages

/// One step of a recurrent cell, as nodes of the graph.
struct UnrolledStep {
    CellMode mode;
    ValueId h;
    ValueId c;       ///< lstm
    ValueId cBefore; ///< lstm
    /// The input and the previous h. The previous step determines which is which; for a gru, and for a single step, the
    /// second one is the previous h.
    std::array<CellOperand, 2> operands;
    /// The whole projection matrix of an lstm that projects h; without weight if there is none. h is projected then.
    GateRows projection = {};
    std::vector<NodeId> nodes;

    bool projects() const { return bool(projection.weight); }
};

/// The cell step that computes a value; nothing if there is none.
std::optional<UnrolledStep> matchCellStep(const GraphRewriter& graph, ValueId h);
/// The same step if the node projects its h; else nothing.
std::optional<UnrolledStep> projectedBy(const GraphRewriter& graph, NodeId id, const UnrolledStep& step);

} // namespace crosswalk::mxnet
