#pragma once

#include <string_view>

namespace crosswalk {

/// Throws the ModelError for invalid JSON: "truncated" if it ends inside a value, else "damaged", with line and column
/// of the first error. `reason` is the fallback if no position is found (too deep nesting, text that is not UTF-8).
[[noreturn]] void throwJsonError(std::string_view text, std::string_view reason);

} // namespace crosswalk
