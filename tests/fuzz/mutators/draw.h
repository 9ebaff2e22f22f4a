#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>

namespace crosswalk::fuzz {

/// The random choices of a mutation, which follow from libFuzzer's seed alone.
class Draw {
public:
    explicit Draw(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    /// A number from 0 to limit - 1. `limit` is at least 1.
    std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(m_engine); }
    bool chance(double probability) { return std::bernoulli_distribution(probability)(m_engine); }
    /// An element of a list that is not empty.
    template <typename List>
    auto& from(List& list)
    {
        return list[below(list.size())];
    }

    /// A length, axis, count or offset that readers often get wrong.
    std::int64_t integer()
    {
        constexpr std::array<std::int64_t, 26> numbers = {
            0,         1,         -1,        2,         3,         7,         8,         64,        127,
            128,       255,       256,       1000,      65535,     65536,     1'000'000, INT32_MAX, INT32_MIN,
            1LL << 31, 1LL << 32, 1LL << 53, 1LL << 62, INT64_MAX, INT64_MIN, -2,        100'000};
        return chance(0.7) ? from(numbers) : static_cast<std::int64_t>(below(44)) - 4;
    }
    double real()
    {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        constexpr std::array<double, 12> numbers = {0.0,  -0.0,   1.0,   -1.0,     0.5,       1e-45,
                                                    1e38, 3.5e38, 1e308, infinity, -infinity, NAN};
        return from(numbers);
    }

private:
    std::minstd_rand m_engine;
};

} // namespace crosswalk::fuzz
