#pragma once

#include <string_view>

namespace crosswalk {

/// Throws the ModelError for a text that is no JSON: "truncated" where it ends inside a value, else "damaged", with
/// line and column of the first offence. `reason` stands in where none is found (a nesting too deep, a text that is no
/// UTF-8).
[[noreturn]] void throwJsonError(std::string_view text, std::string_view reason);

} // namespace crosswalk
