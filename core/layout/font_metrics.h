#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crosswalk {

/// The character that starts at byte `at` of a UTF-8 text, and moves `at` behind it. Broken bytes read as U+FFFD, one
/// by one.
char32_t nextCharacter(std::string_view utf8, std::size_t& at);

/// The text, or as much of its start and end as fits into `room` pixels around an ellipsis.
std::string elideMiddle(std::string_view utf8, float pixelSize, float room, bool bold = false);

} // namespace crosswalk
