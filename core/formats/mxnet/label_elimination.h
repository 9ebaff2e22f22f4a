#pragma once

#include "core/convert/lowering.h"

namespace crosswalk::mxnet {

/// Lowering pass. Loss heads read their labels only in training, so nodes whose results reach nothing but labels are
/// dead at inference: each loss head loses its computed label operands, and with them the nodes that compute them.
/// A head that becomes a custom operator keeps its operands.
bool eliminateComputedLabels(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

} // namespace crosswalk::mxnet
