#pragma once

#include "core/convert/lowering.h"

#include <vector>

namespace crosswalk::mxnet {

/// Lowering pass of --reroll: replaces every run of equal steps that is an LSTM, a GRU or a plain RNN by one RNN node.
/// Steps are recognised by what their nodes compute, never by their names. The rest of the graph stays, and consumers
/// of single steps or of the stacked sequence read the RNN. Reports each run: "rerolled", or "not-rerolled" with the
/// reason.
bool reroll(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

} // namespace crosswalk::mxnet
