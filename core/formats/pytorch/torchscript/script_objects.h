#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <utility>
#include <vector>

namespace crosswalk::pytorch {

struct LoadedObjects {
    ObjectRef module; ///< the root
    /// The objects whose class reads its state itself, with that state, in the order in which they were loaded.
    std::vector<std::pair<ObjectRef, ScriptValue>> states = {};
};

/// Puts the objects of an archive into the interpreter's heap: modules, with the paths of their attributes as names
/// ("layer1.0.conv.weight"), and the tensors of CONSTANTS. Tensors that are equal views of one storage are one tensor.
/// Throws ModelError "damaged".
LoadedObjects loadObjects(ScriptProgram& program, Interpreter& interpreter);
/// Calls __setstate__ of these objects. Throws UnsupportedScript.
void restoreStates(Interpreter& interpreter, const LoadedObjects& objects);

} // namespace crosswalk::pytorch
