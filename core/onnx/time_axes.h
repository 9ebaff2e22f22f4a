#pragma once

#include "core/graph/graph.h"

#include <map>
#include <set>

namespace crosswalk {

/// Axes of the inputs of an ONNX model's graph that a recurrent layer or a Scan runs along, by the input's name: these
/// count steps, not samples. Followed through operators that leave an axis in its place, or move it by a permutation.
using TimeAxes = std::map<std::string, std::set<std::size_t>, std::less<>>;
TimeAxes timeAxes(const Graph& onnx);

} // namespace crosswalk
