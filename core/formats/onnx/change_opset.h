#pragma once

#include "core/onnx/model.h"

namespace crosswalk {

/// Opset of ONNX's own domain that a model uses; 1 where it is from before there were several.
int opsetOf(const OnnxModel& model);

/// Whether the model uses ONNX's own domain at all, and not only others.
bool usesOnnxDomain(const OnnxModel& model);

/// Brings a model to another opset with onnx's version converter. Throws ModelError "opset-change", with the operator
/// (and its first node) where the converter names it.
void changeOpset(OnnxModel& model, int opset);

} // namespace crosswalk
