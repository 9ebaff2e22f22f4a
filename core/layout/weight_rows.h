#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace crosswalk {

/// The stored tensors that a node reads, one line each: "weight 64x3x7x7", small ones with their content: "axes -1".
/// `isFolded` (by value) says which inputs are drawn as lines of their consumers.
std::vector<std::string> weightRows(const Node& node, const Graph& graph, const std::vector<bool>& isFolded);

/// The content of a value that is stored in the file or made by a constant node; null for any other.
const Tensor* constantTensor(const Graph& graph, ValueId value);

} // namespace crosswalk
