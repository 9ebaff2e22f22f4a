#pragma once

#include "core/onnx/model.h"

#include <span>
#include <string>

namespace crosswalk {

/// The part of a model between some of its values, as a model of its own: `from` become its inputs (with the types that
/// inference knows), `to` its outputs. Weights are shared, not copied. Throws ModelError "unknown-value" where the
/// model has no such value, and "open-extract" where the part needs an input of the model that `from` does not name.
OnnxModel extract(const OnnxModel& model, std::span<const std::string> from, std::span<const std::string> to);

} // namespace crosswalk
