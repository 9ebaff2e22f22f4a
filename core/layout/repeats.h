#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk {

/// A stretch of a sequence that consists of equal parts one after the other.
struct Repeat {
    std::size_t first = 0;
    std::size_t period = 0;
    std::size_t times = 0;
    friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// What repeats at least `leastTimes` times, from left to right, without overlap. `signs` are equal where the elements
/// are; `crossing` says for each place how many lines run from before it to it or beyond: parts begin where there are
/// fewest.
std::vector<Repeat> findRepeats(std::span<const std::uint64_t> signs, std::span<const std::uint32_t> crossing,
                                std::size_t leastTimes);

} // namespace crosswalk
