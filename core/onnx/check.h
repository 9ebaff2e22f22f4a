#pragma once

#include "core/onnx/proto.h"

#include <optional>
#include <string>

namespace crosswalk {

/// The error that onnx's checker (without inference) reports for a model, on one line; nothing if the model is valid.
/// `model` is complete (see external_stubs.h), and is as before afterwards. An output without type or rank is not an
/// error here.
std::optional<std::string> checkerError(::onnx::ModelProto& model);

} // namespace crosswalk
