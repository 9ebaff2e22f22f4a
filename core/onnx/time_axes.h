#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace crosswalk {

/// Time axes of the inputs of an ONNX model's graph, by input name: axes along which a recurrent layer or a Scan
/// iterates. Their size counts steps, not samples. They are tracked through operators that keep or permute an axis.
using TimeAxes = std::map<std::string, std::set<std::size_t>, std::less<>>;
TimeAxes timeAxes(const Graph& onnx);

} // namespace crosswalk
