#pragma once

#include "core/convert/node_context.h"

#include <bitset>

namespace crosswalk::tensorflow {

/// The outputs of the node that other nodes or the graph's outputs use: the others need not be computed.
std::bitset<8> readOutputs(const NodeContext& ctx);

} // namespace crosswalk::tensorflow
