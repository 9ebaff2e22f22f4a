#pragma once

#include "core/convert/conversion.h"

#include <stop_token>

namespace crosswalk {

/// "Converts" an ONNX model: changes only what the options request (shapes and types of inputs, the opset, names of
/// operators) and keeps everything else, including functions and sequences. Throws ModelError "unknown-input",
/// "unknown-node", "wrong-input" for options that do not fit the model, and "cancelled".
Conversion convertOnnx(const Graph& graph, const ConvertOptions& options, const std::stop_token& stop);

} // namespace crosswalk
