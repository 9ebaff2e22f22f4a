#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk {

/// A range of a sequence that consists of consecutive equal parts.
struct Repeat {
    std::size_t first = 0;
    std::size_t period = 0;
    std::size_t times = 0;
    friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// Finds ranges with at least `minTimes` equal parts, from left to right without overlap. Equal elements have equal
/// `signs`; `crossing` is the number of lines across each position: parts begin where it is minimal.
std::vector<Repeat> findRepeats(std::span<const std::uint64_t> signs, std::span<const std::uint32_t> crossing,
                                std::size_t minTimes);

} // namespace crosswalk
