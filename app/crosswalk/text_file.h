#pragma once

#include <string>
#include <string_view>

namespace crosswalk::app {

/// Writes a whole file, or leaves the old one as it was. Throws ModelError "unwritable".
void writeTextFile(const std::string& path, std::string_view text);

} // namespace crosswalk::app
