#pragma once

#include <cstdint>

namespace crosswalk {

/// IEEE 754 binary16 to binary32; exact.
float halfToFloat(std::uint16_t half);
/// Rounds to nearest, ties to even; beyond the range becomes infinity, NaN stays NaN.
std::uint16_t floatToHalf(float value);

/// bfloat16, the upper half of a binary32.
float bfloat16ToFloat(std::uint16_t value);
std::uint16_t floatToBfloat16(float value);

} // namespace crosswalk
