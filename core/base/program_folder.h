#pragma once

#include <filesystem>

namespace crosswalk {

/// The folder of the running program; empty if it is unknown.
std::filesystem::path programFolder();

} // namespace crosswalk
