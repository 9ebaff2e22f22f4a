#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <optional>
#include <string>

namespace crosswalk::pytorch {

/// Calls recurrent layers and cells with quantized weights; nothing for other operators.
std::optional<ScriptValue> callQuantizedRecurrence(Interpreter& script, const std::string& op,
                                                   const Interpreter::Arguments& arguments,
                                                   const ScriptArguments& named);

} // namespace crosswalk::pytorch
