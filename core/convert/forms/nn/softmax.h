#pragma once

#include "core/convert/emit.h"

#include <cstdint>

namespace crosswalk::forms {

struct Softmax {
    std::int64_t axis = -1;
    ElementType type = ElementType::Float32; ///< of the result, floating
    bool logarithm = false;
    bool negate = false;    ///< of -x
    double temperature = 1; ///< divides x, rounded to its type
    OnnxValue lengths = {}; ///< how many elements along the axis count, in the shape of x without it; absent: all
};

/// Over one axis of x of any numeric type. Elements beyond the length result in 0, for the logarithm too.
OnnxValue softmax(const NodeContext& ctx, OnnxValue x, const Softmax& how);
/// Over all axes but the first together.
OnnxValue softmaxOfRest(const NodeContext& ctx, OnnxValue x);

} // namespace crosswalk::forms
