#pragma once

#include "core/formats/mxnet/reroll/sequences.h"
#include "core/formats/mxnet/reroll/unrolled_run.h"

namespace crosswalk::mxnet {

/// Puts one RNN in the place of a run, or of two that read the same steps in opposite orders. Returns what the RNN
/// gives for all steps.
ValueId putRecurrentNode(GraphRewriter& graph, Sequences& sequences, const UnrolledRun& forward,
                         const UnrolledRun* backward);

/// Whether one bidirectional node says both.
bool arePair(const GraphRewriter& graph, Sequences& sequences, const UnrolledRun& forward, const UnrolledRun& backward);

} // namespace crosswalk::mxnet
