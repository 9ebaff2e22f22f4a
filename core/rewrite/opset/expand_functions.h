#pragma once

#include "core/onnx/proto.h"

namespace crosswalk {

/// Expands operators that opset `to` does not have, or that have another meaning there, into their function bodies.
/// Operators without a function body, and nodes of bodies, are unchanged. `model` has opset `from`.
void expandFunctions(::onnx::ModelProto& model, int from, int to);

} // namespace crosswalk
