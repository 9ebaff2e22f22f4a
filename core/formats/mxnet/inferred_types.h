#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string>

namespace crosswalk::mxnet {

/// Gives inputs of unknown type the type that follows from the stored weights, through operators whose operands have
/// one type, as MXNet does.
void inferInputTypes(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs);

} // namespace crosswalk::mxnet
