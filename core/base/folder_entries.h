#pragma once

#include <filesystem>
#include <vector>

namespace crosswalk {

/// The paths in a folder, in no particular order: those that can be listed before the first error, if there is one.
/// `folder` may be empty: the current one.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder);

} // namespace crosswalk
