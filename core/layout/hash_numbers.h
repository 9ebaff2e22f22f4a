#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk::layered {

/// Combines numbers into a hash, for tables of processed pieces.
template <typename Number>
std::size_t hashNumbers(std::size_t hash, std::span<const Number> numbers)
{
    for (const Number number : numbers) {
        hash = (hash ^ static_cast<std::uint32_t>(number)) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    }
    return hash;
}

} // namespace crosswalk::layered
