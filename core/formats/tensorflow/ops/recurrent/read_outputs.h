#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::tensorflow {

/// Which outputs of the node are read, by other nodes or as outputs of the graph: what others cost can be saved.
std::vector<bool> readOutputs(const NodeContext& ctx);

} // namespace crosswalk::tensorflow
