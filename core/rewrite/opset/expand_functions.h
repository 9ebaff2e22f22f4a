#pragma once

#include "core/onnx/proto.h"

namespace crosswalk {

/// Puts what onnx composes an operator of in the place of its nodes, where the operator is younger than opset `to` or
/// said something else there. Nodes of bodies stay, and so does what onnx has no composition of. `whole` is a model of
/// opset `from`.
void expandFunctions(::onnx::ModelProto& whole, int from, int to);

} // namespace crosswalk
