#include "core/base/half.h"

#include <bit>
#include <cmath>

namespace crosswalk {

float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1fU;
    const std::uint32_t mantissa = half & 0x3ffU;
    if (exponent == 0x1fU) {
        return std::bit_cast<float>(sign | 0x7f800000U | (mantissa << 13U));
    }
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
        return sign != 0 ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (mantissa << 13U));
}

std::uint16_t floatToHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    if (std::isnan(value)) {
        return static_cast<std::uint16_t>(sign | 0x7e00U);
    }
    const float magnitude = std::fabs(value);
    if (magnitude >= 65520.0F) {
        return static_cast<std::uint16_t>(sign | 0x7c00U);
    }
    if (magnitude < 6.103515625e-05F) { // below the smallest normal: a multiple of 2^-24, nearbyint ties to even
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 16777216.0F)));
    }
    const std::uint32_t rounded = (bits & 0x7fffffffU) + 0xfffU + ((bits >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - (112U << 23U)) >> 13U));
}

float bfloat16ToFloat(std::uint16_t value)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

std::uint16_t floatToBfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) {
        return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
    }
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

} // namespace crosswalk
