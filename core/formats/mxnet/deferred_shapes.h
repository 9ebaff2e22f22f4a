#pragma once

#include "core/convert/lowering.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// The attribute that connectDeferredShapes adds: by dimension, the axis of the node's input of that index; -1: none.
inline constexpr std::string_view deferredAxes = "deferred_axes";

/// Lowering pass. `_zeros` and similar operators may leave a size open (a 0 in MXNet's classic shape rules), which
/// MXNet infers from the tensors that the result is combined with: the batch of a begin state. Such a node gets an
/// input for each dimension of its `shape`: the model input whose dimension it equals, absent if the size is not open
/// or no chain of operators determines it, and the attribute `deferred_axes`.
bool connectDeferredShapes(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

/// Whether results depend on an open size that is not known. They do not where the tensor only meets others of its
/// shape elementwise, or is a begin state: a size of 1 broadcasts.
bool dependsOnOpenSize(const Graph& graph, ValueId created, std::int64_t axis);

} // namespace crosswalk::mxnet
