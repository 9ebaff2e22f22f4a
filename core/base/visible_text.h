#pragma once

#include <string>
#include <string_view>

namespace crosswalk {

/// Text from a file as a terminal may show it: control characters (but line ends and tabs) and those that change the
/// direction of text are written as \u001b, bytes that are no UTF-8 as \xff. In a JSON text, where such characters only
/// occur inside of strings, the result means the same.
std::string visibleText(std::string_view text);

/// The same for a name or a sentence within a line: line ends and tabs are written as \n, \r and \t, so that a name
/// cannot pass for further lines.
std::string visibleLine(std::string_view text);

} // namespace crosswalk
