#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace crosswalk {

/// The product of two sizes, or the largest integer if it overflows: a file may contain any size, and a saturated
/// product still compares correctly with a limit.
inline std::int64_t saturatingProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

/// Of all sizes; 1 without any.
inline std::int64_t saturatingProduct(std::span<const std::int64_t> sizes)
{
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) {
        product = saturatingProduct(product, size);
    }
    return product;
}

} // namespace crosswalk
