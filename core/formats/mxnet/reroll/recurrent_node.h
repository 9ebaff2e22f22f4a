#pragma once

#include "core/formats/mxnet/reroll/sequences.h"
#include "core/formats/mxnet/reroll/unrolled_run.h"

namespace crosswalk::mxnet {

/// Replaces a run, or two that read the same steps in opposite orders, by one RNN. Returns the RNN's output for all
/// steps.
ValueId putRecurrentNode(GraphRewriter& graph, Sequences& sequences, const UnrolledRun& forward,
                         const UnrolledRun* backward);

/// Whether one bidirectional node can represent both.
bool arePair(const GraphRewriter& graph, Sequences& sequences, const UnrolledRun& forward, const UnrolledRun& backward);

} // namespace crosswalk::mxnet
