#pragma once

#include "core/onnx/onnx_model.h"

#include <stop_token>

namespace crosswalk {

/// Converts a model to another opset with onnx's version converter. Throws ModelError "cancelled" or "opset-change",
/// the latter with the operator (and its first node) if the converter reports it.
void changeOpset(OnnxModel& model, int opset, const std::stop_token& stop = {});

} // namespace crosswalk
