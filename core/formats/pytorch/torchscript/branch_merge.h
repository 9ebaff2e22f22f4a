#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <map>
#include <string>

namespace crosswalk::pytorch {

/// What a branch leaves.
struct ScriptBranch {
    std::map<std::string, ScriptValue, std::less<>> variables;
    ScriptHeap heap;
    GraphStack::Level level;
};

/// Emits prim::If for two branches that both began with the heap `before`, and leaves the merged variables and heap to
/// the script. What differs is merged leaf by leaf; what cannot be merged becomes an UndefinedValue.
/// @throws UnsupportedScript for changes that a graph cannot represent
void mergeBranches(Interpreter& script, GraphValue condition, const ScriptHeap& before, ScriptBranch first,
                   ScriptBranch second);

} // namespace crosswalk::pytorch
