#include "core/layout/repeats.h"

#include <algorithm>
#include <unordered_map>

namespace crosswalk {
namespace {

struct Range {
    std::size_t first;
    std::size_t end;
};

/// The longest range around `at` in which every element equals the one a period before it.
Range rangeAround(std::span<const std::uint64_t> signs, std::size_t at, std::size_t period, std::size_t begin)
{
    std::size_t end = at;
    while (end < signs.size() && signs[end] == signs[end - period]) {
        ++end;
    }
    std::size_t first = at - period;
    while (first > begin && signs[first - 1] == signs[first - 1 + period]) {
        --first;
    }
    return {first, end};
}

/// Parts may begin anywhere in the first period: choose the position with the fewest lines across, and the earliest of
/// these.
Repeat cutWell(Repeat repeat, std::size_t length, std::span<const std::uint32_t> crossing)
{
    const std::size_t slack = length - repeat.times * repeat.period;
    std::size_t best = repeat.first;
    for (std::size_t start = repeat.first; start < repeat.first + repeat.period; ++start) {
        // Compares one period later: the elements before the first part may differ.
        const bool isThinner = crossing[start + repeat.period] < crossing[best + repeat.period];
        best = isThinner ? start : best;
    }
    if (best - repeat.first > slack) {
        --repeat.times;
    }
    repeat.first = best;
    return repeat;
}

} // namespace

std::vector<Repeat> findRepeats(std::span<const std::uint64_t> signs, std::span<const std::uint32_t> crossing,
                                std::size_t minTimes)
{
    std::vector<Repeat> repeats;
    std::unordered_map<std::uint64_t, std::size_t> last;     // last position of each sign
    std::unordered_map<std::uint64_t, std::size_t> compared; // by period: end of the last range with too few parts
    std::size_t begin = 0;                                   // of the part without repeats
    for (std::size_t at = 0; at < signs.size(); ++at) {
        const auto [before, isNew] = last.try_emplace(signs[at], at);
        if (isNew || before->second < begin) {
            before->second = at;
            continue;
        }
        const std::size_t period = at - before->second;
        before->second = at;
        std::size_t& end = compared[period];
        if (at < end) {
            continue; // the same range
        }
        const Range range = rangeAround(signs, at, period, begin);
        end = range.end;
        Repeat repeat{range.first, period, (range.end - range.first) / period};
        if (repeat.times >= minTimes) {
            repeat = cutWell(repeat, range.end - range.first, crossing);
        }
        if (repeat.times >= minTimes) {
            repeats.push_back(repeat);
            begin = repeat.first + repeat.times * repeat.period;
            at = begin - 1;
            compared.clear();
        }
    }
    return repeats;
}

} // namespace crosswalk
