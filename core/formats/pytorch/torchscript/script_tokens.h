#pragma once

#include "core/formats/pytorch/torchscript/script_tree.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

struct ScriptToken {
    enum class Kind : std::uint8_t { Name, Integer, Real, Text, Punctuation, NewLine, Indent, Dedent, End };
    Kind kind = Kind::End;
    std::string text; ///< of a text: its characters, without quotes and escapes
    ScriptPosition position;
};

/// Splits a code file into tokens. Lines inside parentheses do not end, as in Python. `file` is for messages. Throws
/// ModelError "damaged", with line and column.
std::vector<ScriptToken> scriptTokens(std::string_view code, const std::string& file);

/// Throws ModelError "damaged": "FILE:LINE:COLUMN: MESSAGE".
[[noreturn]] void scriptError(const std::string& file, ScriptPosition position, std::string_view message);

} // namespace crosswalk::pytorch
