#pragma once

#include "core/onnx/proto.h"

namespace crosswalk {

/// Gives the bodies of loops and branches axes and sizes of their own, which the version converter looks for nowhere
/// else, where they become attributes on the way from one opset to another.
void bringAxesInside(::onnx::GraphProto& graph, int from, int to);

} // namespace crosswalk
