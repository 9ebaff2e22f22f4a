#include "core/convert/forms/elementwise/signs.h"

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"

#include <numbers>

namespace crosswalk::forms::arithmetic {

OnnxValue hasSign(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    return ctx.emit("Or", {ctx.emit("Less", {x, zero}), ctx.emit("Less", {ctx.emit("Reciprocal", {x}), zero})});
}

/// The angle to the nearer axis, then corrected by quadrant. Equal operands, also both zero or infinite, have no usable
/// ratio.
OnnxValue angle(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue y, OnnxValue x) {
        const OnnxValue height = ctx.emit("Abs", {y});
        const OnnxValue width = ctx.emit("Abs", {x});
        const OnnxValue isSteep = ctx.emit("Greater", {height, width});
        const OnnxValue ratio =
            ctx.emit("Div", {ctx.emit("Where", {isSteep, width, height}), ctx.emit("Where", {isSteep, height, width})});
        const OnnxValue isEqual = ctx.emit("Equal", {height, width});
        const OnnxValue near = elementary::arctan(ctx, ctx.emit("Where", {isEqual, ctx.emit("Sign", {height}), ratio}));
        const auto from = [&](double whole, OnnxValue part) {
            return ctx.emit("Sub", {emit::scalarLike(ctx, part, whole), part});
        };
        const OnnxValue right = ctx.emit("Where", {isSteep, from(std::numbers::pi / 2, near), near});
        const OnnxValue upper = ctx.emit("Where", {hasSign(ctx, x), from(std::numbers::pi, right), right});
        return ctx.emit("Where", {hasSign(ctx, y), ctx.emit("Neg", {upper}), upper});
    });
}

} // namespace crosswalk::forms::arithmetic
