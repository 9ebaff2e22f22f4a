#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::tensorflow {

/// The outputs of the node that other nodes or the graph's outputs use: the others need not be computed.
std::vector<bool> readOutputs(const NodeContext& ctx);

} // namespace crosswalk::tensorflow
