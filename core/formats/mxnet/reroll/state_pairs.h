#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string>

namespace crosswalk::mxnet {

/// Inputs of a model that contain a recurrent state, each with the output that returns the next state: of RNN nodes, of
/// cells composed of nodes (one step or many), and of loops over steps. Names as in the exported model.
std::map<std::string, std::string> statePairs(const Graph& graph);

} // namespace crosswalk::mxnet
