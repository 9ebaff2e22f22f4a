#pragma once

#include "core/convert/forms/elementwise/compute_type.h"

#include <cstdint>

namespace crosswalk::forms {

/// The sums of the elements of x up to each along an axis: without the element itself if `isExclusive`, from the end if
/// `isReversed`.
inline OnnxValue runningSum(const NodeContext& ctx, OnnxValue x, std::int64_t axis, bool isExclusive = false,
                            bool isReversed = false)
{
    constexpr int halfOpset = 14; // the first one whose operator takes half precision
    const auto sum = [&](OnnxValue v) {
        return ctx.emit("CumSum", {v, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(axis))},
                        {{"exclusive", isExclusive}, {"reverse", isReversed}});
    };
    const bool isHalf = ctx.element(x) == ElementType::Float16;
    return isHalf && ctx.onnx.opset() < halfOpset ? computedAs(ctx, ElementType::Float32, x, sum) : sum(x);
}

} // namespace crosswalk::forms
