#include "core/layout/boundaries.h"

#include <algorithm>

namespace crosswalk::layered {

std::vector<std::uint32_t> findBoundaries(std::span<const std::uint32_t> sizes)
{
    constexpr std::uint32_t nearest = 8;
    constexpr std::uint32_t farthest = 24;
    if (sizes.empty()) {
        return {};
    }
    const auto last = static_cast<std::uint32_t>(sizes.size() - 1);
    std::vector<std::uint32_t> boundaries{0};
    while (boundaries.back() < last) {
        const std::uint32_t from = boundaries.back();
        const std::uint32_t horizon = std::min(from + farthest, last);
        std::uint32_t next = from + 1;
        while (next <= horizon && sizes[next] > 1) {
            ++next;
        }
        if (next > horizon) {
            // Of equally thin layers, take the first, so that a sequence of equal blocks is cut uniformly.
            next = last - from < 2 * nearest ? last : from + nearest;
            for (std::uint32_t layer = next; layer + nearest <= last && layer <= horizon; ++layer) {
                next = sizes[layer] < sizes[next] ? layer : next;
            }
        }
        boundaries.push_back(next);
    }
    return boundaries;
}

} // namespace crosswalk::layered
