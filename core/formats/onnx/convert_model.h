#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// "Converts" an ONNX model: the same model, with what the options ask for changed (shapes and types of inputs, the
/// opset, names of operators) and everything else as it is, functions and sequences included. Throws ModelError
/// "unknown-input", "unknown-node", "wrong-input" for options that do not fit the model, and "cancelled".
Conversion convertOnnx(const Graph& graph, const ConvertOptions& options, const std::stop_token& stop);

} // namespace crosswalk
