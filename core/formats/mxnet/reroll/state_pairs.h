#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string>

namespace crosswalk::mxnet {

/// Inputs of a model that hold a recurrent state, each with the output that carries the state on: of RNN nodes, of
/// cells that stand as nodes (one step or many), and of loops over steps. Names as the exported model has them.
std::map<std::string, std::string> statePairs(const Graph& graph);

} // namespace crosswalk::mxnet
