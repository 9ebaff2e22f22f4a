#pragma once

#include <string>
#include <string_view>

namespace crosswalk {

/// Escapes text for XML and HTML, as content or as an attribute between double quotes.
std::string escapeMarkup(std::string_view text);

} // namespace crosswalk
