#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <optional>
#include <string_view>

namespace crosswalk::pytorch {

/// Calls "conv2d_relu" or "linear" of the namespace quantized, whose result has the scale and the zero point that its
/// last arguments are; "linear_dynamic" or "embedding_byte", whose results are floating; or "conv2d_prepack". Nothing
/// for any other name.
std::optional<ScriptValue> callQuantizedLayer(Interpreter& script, std::string_view name,
                                              const Interpreter::Arguments& arguments, const ScriptArguments& named);

} // namespace crosswalk::pytorch
