#pragma once

#include "core/formats/pytorch/torchscript/script_tree.h"

#include <string>
#include <string_view>

namespace crosswalk::pytorch {

/// Parses a code file. `file` is for messages. Throws ModelError "damaged", with line and column.
ScriptFile parseScript(std::string_view code, const std::string& file);

} // namespace crosswalk::pytorch
