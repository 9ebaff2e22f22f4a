#pragma once

#include "core/onnx/onnx_model.h"

namespace crosswalk {

/// Converts a model to another opset with onnx's version converter. Throws ModelError "opset-change", with the operator
/// (and its first node) if the converter reports it.
void changeOpset(OnnxModel& model, int opset);

} // namespace crosswalk
