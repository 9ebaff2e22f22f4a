#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace crosswalk {

/// Products of sizes that files contain: the largest integer if the product does not fit, so that every comparison with
/// a limit or with a count still has the right result.
inline std::int64_t saturatingProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

/// Of all sizes, 1 without any. A size of 0 makes it 0, whatever the others are.
inline std::int64_t saturatingProduct(std::span<const std::int64_t> sizes)
{
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) {
        product = size == 0 ? 0 : saturatingProduct(product, size);
    }
    return product;
}

} // namespace crosswalk
