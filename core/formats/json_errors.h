#pragma once

#include <simdjson.h>
#include <string_view>

namespace crosswalk {

/// Throws the ModelError for invalid JSON: "truncated" if it ends inside a value, else "damaged", with line and column
/// of the first error, or the parser's message if no position is found (too deep nesting, text that is not UTF-8).
/// Throws std::bad_alloc if the parser lacked memory.
[[noreturn]] void throwJsonError(std::string_view text, simdjson::error_code error);

} // namespace crosswalk
