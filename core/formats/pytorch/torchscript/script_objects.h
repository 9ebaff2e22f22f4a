#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

namespace crosswalk::pytorch {

/// Puts the objects of an archive into the interpreter's heap: modules, with the paths of their attributes as names
/// ("layer1.0.conv.weight"), and the tensors of CONSTANTS. Tensors that are equal views of one storage are one tensor.
/// Returns the root module. Throws ModelError "damaged".
ObjectRef loadObjects(ScriptProgram& program, Interpreter& interpreter);

} // namespace crosswalk::pytorch
