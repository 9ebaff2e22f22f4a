#pragma once

#include "core/onnx/proto.h"

#include <optional>
#include <string>

namespace crosswalk {

/// What onnx's checker (without inference) says against a model whose stubs are whole, on one line; nothing when it is
/// sound. That an output has no type or no rank is no fault here.
std::optional<std::string> checkerFault(const ::onnx::ModelProto& whole);

} // namespace crosswalk
