#pragma once

#include "core/formats/mxnet/reroll/cell_step.h"

namespace crosswalk::mxnet {

/// How an lstm is read that was unrolled with valid lengths: h and c of all steps are stacked, what is behind a
/// sample's length is masked or never looked at, and the states of the last valid step are picked.
struct ValidLength {
    ValueId lengths;
    std::vector<ValueId> lastH; ///< values that pick the last valid h
    std::vector<ValueId> lastC;
};

/// Steps of one cell, each of which starts from the state that the one before leaves.
struct UnrolledRun {
    std::vector<UnrolledStep> steps; ///< of each, operands[1] is the h before
    std::optional<ValidLength> validLength = {};

    CellMode mode() const { return steps.front().mode; }
    std::int64_t hidden() const { return steps.front().operands[1].gates.front().count; }
    /// Width of h.
    std::int64_t outputSize() const { return steps.front().projects() ? steps.front().projection.count : hidden(); }
    std::vector<ValueId> inputs() const;
    std::vector<ValueId> outputs() const;
    NodeSet nodes() const;
};

/// Every run of `least` steps or more, in the order of their first steps.
std::vector<UnrolledRun> findRuns(const GraphRewriter& graph, std::size_t least = 2);

/// What else reads of the run's nodes than what a recurrent node gives, or what of its input comes from its own state,
/// said so that the user understands; empty where nothing does.
std::string obstacleOf(const GraphRewriter& graph, const UnrolledRun& run);

} // namespace crosswalk::mxnet
