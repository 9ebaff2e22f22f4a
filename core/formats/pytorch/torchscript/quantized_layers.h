#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <optional>
#include <string_view>

namespace crosswalk::pytorch {

/// Calls "conv2d_relu" or "linear" of the namespace quantized, whose result has the scale and the zero point that its
/// last arguments are, or "linear_dynamic", whose input and result are floating. Nothing for any other name.
std::optional<ScriptValue> callQuantizedLayer(Interpreter& script, std::string_view name,
                                              const Interpreter::Arguments& arguments, const ScriptArguments& named);

} // namespace crosswalk::pytorch
