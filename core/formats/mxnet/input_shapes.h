#pragma once

#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <string>

namespace crosswalk::mxnet {

/// Infers ranks and fixed dimensions of inputs without a declared shape from the weights they are combined with: the
/// channels of a Convolution, the features of a FullyConnected or an RNN. Open dimensions get symbols: N the batch, T
/// the time.
void inferInputShapes(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs);

} // namespace crosswalk::mxnet
