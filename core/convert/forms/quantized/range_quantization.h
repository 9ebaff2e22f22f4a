#pragma once

#include "core/convert/emit.h"

#include <cstdint>
#include <optional>

/// Quantization of the float32 numbers in a range (low, high) to integers. The range is computed at run time, or at
/// conversion if it is stored.
namespace crosswalk::forms {

enum class RangeMode {
    Whole,  ///< the smallest integer is the low end, the largest one the high end
    First,  ///< the same, but moved so that 0 is one of the integers
    Scaled, ///< multiples of one step; 0 is 0
};

struct RangeQuantization {
    RangeMode mode = RangeMode::Whole;
    ElementType type = ElementType::UInt8; ///< 8, 16 or 32 bits
    bool isNarrow = false;                 ///< Scaled: the smallest integer is not used
    bool roundsToEven = false;             ///< Scaled: halves to even; else, and in the other modes, away from zero
    double leastWidth = 0;                 ///< of a range, relative to its larger end from 1 on
    std::optional<std::int64_t> axis = {}; ///< a range for each index of this axis: not with First
    OnnxValue low = {};                    ///< scalars, or vectors along the axis, float32
    OnnxValue high = {};
};

/// The float32 numbers that integers represent. Stored integers become a stored result, computed when it is read.
OnnxValue dequantizedInRange(const NodeContext& ctx, OnnxValue codes, const RangeQuantization& how);

struct RangeQuantized {
    OnnxValue codes;
    OnnxValue low; ///< the range after it was widened, in the shape of the given one
    OnnxValue high;
};
/// x is float32 and not NaN.
RangeQuantized quantizedInRange(const NodeContext& ctx, OnnxValue x, const RangeQuantization& how);

} // namespace crosswalk::forms
