#pragma once

#include <cstdint>
#include <limits>

namespace crosswalk::emit {

/// The end of a slice that reaches the end of every axis.
inline constexpr std::int64_t farEnd = std::numeric_limits<std::int64_t>::max();

} // namespace crosswalk::emit
