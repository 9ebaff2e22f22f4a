#pragma once

#include "core/onnx/proto.h"

namespace crosswalk {

/// Copies stored axes and sizes into the bodies that use them, if these inputs become attributes between the two
/// opsets. The version converter looks for them only in the graph of the node.
void copyAxesIntoBodies(::onnx::GraphProto& graph, int from, int to);

} // namespace crosswalk
