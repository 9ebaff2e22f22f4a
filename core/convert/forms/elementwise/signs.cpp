#include "core/convert/forms/elementwise/signs.h"

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"

#include <numbers>

namespace crosswalk::forms::arithmetic {

OnnxValue sign(const NodeContext& ctx, OnnxValue x)
{
    const ElementType own = ctx.element(x);
    if (own == ElementType::Int64) { // ONNX Runtime's Sign of 2^31 is -1
        const OnnxValue zero = emit::scalarLike(ctx, x, 0);
        const auto number = [&](OnnxValue isTrue) { return emit::cast(ctx, isTrue, own); };
        return ctx.emit("Sub", {number(ctx.emit("Greater", {x, zero})), number(ctx.emit("Less", {x, zero}))});
    }
    // ONNX Runtime's Sign of a float16 NaN is 0.
    const ElementType type = own == ElementType::Float16 ? ElementType::Float32 : widened(own);
    return computedAs(ctx, type, x, [&](OnnxValue value) { return ctx.emit("Sign", {value}); });
}

OnnxValue signOrZero(const NodeContext& ctx, OnnxValue x)
{
    if (!isFloating(ctx.element(x))) {
        return sign(ctx, x);
    }
    return computedAs(ctx, Precision(ctx, x).wide(), x, [&](OnnxValue value) {
        const OnnxValue y = ctx.emit("Sign", {value});
        return ctx.emit("Where", {ctx.emit("IsNaN", {value}), emit::scalarLike(ctx, y, 0), y});
    });
}

OnnxValue hasSign(const NodeContext& ctx, OnnxValue x)
{
    // The reciprocal of negative zero is -inf, and that of -inf is negative zero: the sum of both has the sign of x.
    const OnnxValue sum = ctx.emit("Add", {x, ctx.emit("Reciprocal", {x})});
    return ctx.emit("Less", {sum, emit::scalarLike(ctx, x, 0)});
}

/// The angle to the horizontal axis, then corrected by quadrant. Equal operands, also both zero or infinite, have no
/// usable ratio. A ratio that overflows has the arc tangent pi/2.
OnnxValue angle(const NodeContext& ctx, OnnxValue y, OnnxValue x)
{
    return computedAs(ctx, widened(ctx.element(y)), y, x, [&](OnnxValue vertical, OnnxValue horizontal) {
        const OnnxValue height = ctx.emit("Abs", {vertical});
        const OnnxValue width = ctx.emit("Abs", {horizontal});
        const OnnxValue isEqual = ctx.emit("Equal", {height, width});
        const OnnxValue ratio =
            ctx.emit("Where", {isEqual, ctx.emit("Sign", {height}), ctx.emit("Div", {height, width})});
        const OnnxValue right = elementary::arctan(ctx, ratio);
        const OnnxValue left = ctx.emit("Sub", {emit::scalarLike(ctx, right, std::numbers::pi), right});
        const OnnxValue upper = ctx.emit("Where", {hasSign(ctx, horizontal), left, right});
        return ctx.emit("Where", {hasSign(ctx, vertical), ctx.emit("Neg", {upper}), upper});
    });
}

} // namespace crosswalk::forms::arithmetic
