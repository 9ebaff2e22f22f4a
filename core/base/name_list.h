#pragma once

#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// The names in lists "a,b" of a command line, in their order. A comma that belongs to a name is written "\,".
std::vector<std::string> namesIn(std::span<const std::string> lists);

} // namespace crosswalk
