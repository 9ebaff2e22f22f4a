#pragma once

#include "core/convert/lowering.h"

#include <vector>

namespace crosswalk::mxnet {

/// Lowering pass. Loss heads read their labels only in training, so nodes whose results reach only labels are dead at
/// inference: the pass removes the computed label operands of each loss head, and the nodes that compute them. A head
/// that is mapped to a custom operator keeps its operands.
bool eliminateComputedLabels(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

} // namespace crosswalk::mxnet
