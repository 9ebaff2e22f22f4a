#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <vector>

namespace crosswalk::mxnet {

/// One dimension of an input of the graph.
struct InputAxis {
    ValueId input;
    std::int64_t axis = 0;
};

/// `_zeros` and its like may leave a size open, by MXNet's classic shape rules a 0, which MXNet fills in from the
/// tensors that the result meets: the batch of a begin state. For each dimension of the node's `shape`: the dimension
/// of an input that it then equals; nothing where it is not open, or where no chain of operators says what it equals.
/// Empty for any other node.
std::vector<std::optional<InputAxis>> deferredDims(const Graph& graph, const Node& node);

} // namespace crosswalk::mxnet
