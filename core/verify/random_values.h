#pragma once

#include "core/onnx/onnx_model.h"

#include <set>
#include <string>

namespace crosswalk {

/// The values of a model's graph that depend on numbers which it draws when it runs (RandomNormalLike, Multinomial,
/// Dropout in training mode...), also in bodies and functions: they differ from run to run.
std::set<std::string> randomValues(const OnnxModel& model);

} // namespace crosswalk
