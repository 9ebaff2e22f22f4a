#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace crosswalk {

/// The integer that a number is equal to; nothing for a fraction, and for what is not finite or does not fit 64 bits.
inline std::optional<std::int64_t> wholeNumber(double number)
{
    constexpr double limit = 0x1p63;
    const bool isWhole = number == std::trunc(number) && number >= -limit && number < limit;
    return isWhole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

} // namespace crosswalk
