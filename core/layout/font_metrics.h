#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crosswalk {

/// Returns the character at byte `at` of a UTF-8 text, and advances `at` past it. Each invalid byte is read as U+FFFD.
char32_t nextCharacter(std::string_view utf8, std::size_t& at);

/// The text, shortened with an ellipsis in the middle to fit into `room` pixels.
std::string elideMiddle(std::string_view utf8, float pixelSize, float room, bool bold = false);

} // namespace crosswalk
