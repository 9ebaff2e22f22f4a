#pragma once

#include "core/onnx/model.h"

namespace crosswalk {

/// Brings a model to another opset with onnx's version converter. Throws ModelError "opset-change", with the operator
/// (and its first node) where the converter names it.
void changeOpset(OnnxModel& model, int opset);

} // namespace crosswalk
