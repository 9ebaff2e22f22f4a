#pragma once

#include <filesystem>
#include <string_view>

namespace crosswalk {

/// Writes a whole file, or leaves the old one as it was. Throws ModelError "unwritable".
void writeTextFile(const std::filesystem::path& path, std::string_view text);

} // namespace crosswalk
