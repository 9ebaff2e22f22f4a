#pragma once

#include <string>
#include <string_view>

namespace crosswalk {

/// Text as the content or an attribute of an HTML element: characters with a meaning are escaped, those that are
/// invisible or change the direction of text are written as visibleText() does.
std::string htmlText(std::string_view text);

/// The beginning of a page up to and with its heading, in the style of all reports. `title` is plain text.
std::string htmlHead(std::string_view title);
std::string htmlFoot();

} // namespace crosswalk
