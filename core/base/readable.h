#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crosswalk {

// Numbers as people read them: three digits, decimal units.

std::string readableBytes(std::uint64_t bytes); ///< "102 MB"
std::string readableCount(std::uint64_t count); ///< "25.6 M"

/// "1 node", "3 nodes". `things` where an s does not make the plural.
std::string counted(std::uint64_t count, std::string_view thing, std::string_view things = {});

} // namespace crosswalk
