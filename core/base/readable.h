#pragma once

#include <cstdint>
#include <string>

namespace crosswalk {

// Numbers as people read them: three digits, decimal units.

std::string readableBytes(std::uint64_t bytes); ///< "102 MB"
std::string readableCount(std::uint64_t count); ///< "25.6 M"

} // namespace crosswalk
