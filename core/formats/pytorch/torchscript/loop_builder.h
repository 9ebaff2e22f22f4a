#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <string>

namespace crosswalk::pytorch {

/// Emits prim::Loop for a loop over range(turns), whose variable is `index`, and leaves its results to the script.
/// With `canBeUnrolled`, it refuses to append tensors whose sizes may differ to a list: ONNX's Loop stacks them.
/// @throws UnsupportedScript for changes that a graph cannot represent
void buildForLoop(Interpreter& script, const ScriptBlock& body, std::string index, const ScriptValue& turns,
                  bool canBeUnrolled);

/// The same for `while condition`; `begins` is the condition before the first step.
void buildWhileLoop(Interpreter& script, const ScriptBlock& body, const ScriptExpression& condition,
                    const ScriptValue& begins);

} // namespace crosswalk::pytorch
