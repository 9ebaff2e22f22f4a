#pragma once

#include "core/formats/mxnet/symbol_json.h"

#include <cstdint>
#include <vector>

namespace crosswalk::mxnet {

/// The nodes that the outputs need, each after those that it reads: in the file's order where that order is
/// topological, else in the order in which MXNet traverses the graph. Throws ModelError "damaged" if there is a cycle.
std::vector<std::uint32_t> neededNodes(const SymbolGraph& graph);

} // namespace crosswalk::mxnet
