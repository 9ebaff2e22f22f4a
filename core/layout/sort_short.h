#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk::layered {

/// Stable insertion sort without allocation: most sequences here are short and nearly sorted.
template <typename Key>
void sortShort(std::span<std::uint32_t> numbers, Key key)
{
    constexpr std::size_t fewEnough = 48;
    if (numbers.size() > fewEnough) {
        std::ranges::stable_sort(numbers, {}, key);
        return;
    }
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const std::uint32_t number = numbers[i];
        std::size_t j = i;
        for (; j > 0 && key(number) < key(numbers[j - 1]); --j) {
            numbers[j] = numbers[j - 1];
        }
        numbers[j] = number;
    }
}

} // namespace crosswalk::layered
