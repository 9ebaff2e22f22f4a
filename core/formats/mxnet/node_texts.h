#pragma once

#include "core/formats/mxnet/symbol_attributes.h"
#include "core/graph/graph.h"

namespace crosswalk::mxnet {

/// The attributes of a node that are text, which with MXNet are all but its subgraphs. They point into the node.
std::vector<SymbolAttribute> texts(const Node& node);

} // namespace crosswalk::mxnet
