#pragma once

#include "core/onnx/onnx_model.h"

#include <span>
#include <string>

namespace crosswalk {

/// Extracts the part of a model between some of its values as a separate model. `from` become its inputs (with their
/// inferred types), `to` its outputs. Weights are shared, not copied. Throws ModelError "unknown-value" if the model
/// has no such value, and "open-extract" if the part depends on an input of the model that is not in `from`.
OnnxModel extract(const OnnxModel& model, std::span<const std::string> from, std::span<const std::string> to);

} // namespace crosswalk
