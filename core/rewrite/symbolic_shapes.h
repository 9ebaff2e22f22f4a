#pragma once

#include "core/onnx/onnx_model.h"
#include "crosswalk/shape.h"

#include <stop_token>
#include <string>
#include <unordered_map>

namespace crosswalk {

/// The shapes of a model's values by name. Each dimension is a size or an expression of the symbols of the inputs for
/// readers: "N", "H/2", "(T+2)", "2·T", "H·W/4". A division rounds as the operator does.
using NamedShapes = std::unordered_map<std::string, Shape>;

/// Infers the model at several sizes of each symbol and expresses each dimension by the symbols that it follows;
/// unknown where it follows no such expression. Chooses sizes that most nodes accept. Values whose shape is unknown at
/// these sizes are left out. Empty for a model whose inputs have no symbols or very many, for a very large one, and if
/// stopped.
NamedShapes symbolicShapes(const OnnxModel& model, const std::stop_token& stop);

} // namespace crosswalk
