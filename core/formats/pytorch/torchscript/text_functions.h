#pragma once

#include "core/formats/pytorch/torchscript/script_value.h"

#include <string>

namespace crosswalk::pytorch {

/// @throws UnsupportedScript for a text with too many characters
std::string limitedText(std::string text);

/// @throws UnsupportedScript, always: the program depends on a text that is not known when it is read
[[noreturn]] void unknownText();

/// Whether a text, known or computed, has at least one character in every run.
bool isNeverEmpty(const ScriptValue& text);

/// For messages: a text, with "..." in place of computed parts.
std::string shownText(const ScriptValue& text);

/// A text of known content.
/// @throws UnsupportedScript for other values
const std::string& textIn(const ScriptValue& value);

} // namespace crosswalk::pytorch
