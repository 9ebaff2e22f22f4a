#pragma once

#include <cassert>
#include <cstdint>

namespace crosswalk {

/// The quotient by a positive divisor, rounded up if it is positive and towards zero otherwise. Does not overflow,
/// unlike adding the divisor to a size of a file first.
inline std::int64_t quotientRoundedUp(std::int64_t dividend, std::int64_t divisor)
{
    assert(divisor > 0);
    return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
}

} // namespace crosswalk
