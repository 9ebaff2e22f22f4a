#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crosswalk {

// Temporary files of processes that were killed. A process locks its files while it writes them, so that others know
// which are in use, also on other machines that share the folder.

inline constexpr std::string_view temporarySuffix = ".tmp";
/// How the names of temporary files for a target begin.
std::string temporaryPrefix(const std::filesystem::path& target);

/// Marks an open file or folder as in use until it is closed.
void markInUse(int descriptor);
/// Whether no process has marked the file or folder.
bool isUnused(const std::filesystem::path& path);

/// Removes temporary files for this target that no process uses.
void removeStaleFiles(const std::filesystem::path& target);

} // namespace crosswalk
