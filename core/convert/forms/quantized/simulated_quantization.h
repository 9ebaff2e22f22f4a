#pragma once

#include "core/convert/emit.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Numbers rounded to the steps of an integer type, without changing their type.
namespace crosswalk::forms {

/// Steps of a range that is moved so that 0 is one of them, computed in single precision.
struct FakeQuantization {
    std::vector<double> lows; ///< one number, or one per channel; a range contains 0
    std::vector<double> highs;
    int bits = 8;            ///< 2 to 16
    bool isNarrow = false;   ///< the lowest integer is not used
    bool perChannel = false; ///< the channels are on the last axis
};
/// floor((clamp(x) - low) / step + 1/2) step + low, float32.
OnnxValue fakeQuantized(const NodeContext& ctx, OnnxValue x, const FakeQuantization& how);

/// Multiples of a step such that neither end of the range leaves the integers and 0 stays 0: the end that needs the
/// larger steps decides.
struct ScaledQuantization {
    int bits = 8; ///< 1 to 32
    bool isSigned = true;
    bool isNarrow = false; ///< the lowest integer is not used
    bool roundsToEven = true;
    std::optional<std::int64_t> axis = {}; ///< a range for each index of this axis
    OnnxValue low = {}; ///< the range, which x is clipped to: scalars, or vectors along the axis. Absent: that of x
    OnnxValue high = {};
};
/// float32 or float64.
OnnxValue quantizedByScale(const NodeContext& ctx, OnnxValue x, const ScaledQuantization& how);

} // namespace crosswalk::forms
