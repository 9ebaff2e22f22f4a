#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// The names that a misspelled one may stand for, nearest first, at most `most`: those with which it shares two letters
/// of three (by edit distance), and those that contain it.
std::vector<std::string> similarNames(std::string_view written, std::span<const std::string> names, std::size_t most);

} // namespace crosswalk
