#pragma once

#include "core/onnx/proto.h"

namespace crosswalk {

/// Expands operators that opset `to` does not have, or that have another meaning there, into their function bodies.
/// Operators without a function body, and nodes of bodies, are unchanged. `model` has opset `from`. Throws ModelError
/// "opset-change" for a node that its function body does not compute.
void expandFunctions(::onnx::ModelProto& model, int from, int to);

} // namespace crosswalk
