#pragma once

#include "core/formats/mxnet/reroll/cell_step.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::mxnet {

/// How consumers read an lstm that was unrolled with valid lengths: they stack h and c of all steps, mask or never read
/// steps beyond a sample's length, and pick the states of the last valid step.
struct ValidLength {
    ValueId lengths;
    ValueIds lastH; ///< values that pick the last valid h
    ValueIds lastC;
};

/// Steps of one cell, each starting from the state of the previous one.
struct UnrolledRun {
    std::vector<UnrolledStep> steps; ///< operands[1] of each is the previous h
    std::optional<ValidLength> validLength = {};

    CellMode mode() const { return steps.front().mode; }
    std::int64_t hidden() const { return steps.front().operands[1].gates.front().count; }
    /// Width of h.
    std::int64_t outputSize() const { return steps.front().projects() ? steps.front().projection.count : hidden(); }
    ValueIds inputs() const;
    ValueIds outputs() const;
    NodeSet nodes() const;
};

/// Every run of `least` steps or more, in the order of their first steps.
std::vector<UnrolledRun> findRuns(const GraphRewriter& graph, std::size_t least = 2);

/// Why a recurrent node cannot replace the run, as a message for the user: other nodes read inner values of the run, or
/// its input depends on its own state. Empty if it can.
std::string obstacleOf(const GraphRewriter& graph, const UnrolledRun& run);

} // namespace crosswalk::mxnet
