#include "core/convert/forms/elementwise/elementary.h"

#include "core/convert/forms/elementwise/elementary_nodes.h"
#include "core/convert/forms/elementwise/special_functions.h"

#include <cmath>
#include <numbers>

namespace crosswalk::forms::elementary {
namespace {

/// The formula on x, half precision in single: one rounding, at the end, as in a function of the C library.
template <typename Formula>
OnnxValue single(const NodeContext& ctx, OnnxValue x, Formula formula)
{
    const ElementType own = ctx.element(x);
    const ElementType type = own == ElementType::Float64 ? own : ElementType::Float32;
    return computedAs(ctx, type, x, formula);
}

} // namespace

OnnxValue exp(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Exp", x);
}

OnnxValue expMinusOne(const NodeContext& ctx, OnnxValue x)
{
    // tanh(x/2) (e^x + 1): nothing cancels, and both limits are exact.
    return single(ctx, x, [&](OnnxValue v) {
        const OnnxValue half = ctx.emit("Tanh", {with(ctx, "Mul", v, 0.5)});
        return ctx.emit("Mul", {half, with(ctx, "Add", ctx.emit("Exp", {v}), 1)});
    });
}

OnnxValue log(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Log", x);
}

OnnxValue log2(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) { return with(ctx, "Div", ctx.emit("Log", {v}), std::numbers::ln2); });
}

OnnxValue log10(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) { return with(ctx, "Div", ctx.emit("Log", {v}), std::numbers::ln10); });
}

OnnxValue logOnePlus(const NodeContext& ctx, OnnxValue x)
{
    // u = 1 + x was rounded by d = (u - 1) - x: ln(1 + x) is ln u - d / u. Where nothing was lost, or all is infinite,
    // it is ln u.
    return single(ctx, x, [&](OnnxValue v) {
        const OnnxValue u = with(ctx, "Add", v, 1);
        const OnnxValue back = with(ctx, "Sub", u, 1);
        const OnnxValue logarithm = ctx.emit("Log", {u});
        const OnnxValue lost = ctx.emit("Div", {ctx.emit("Sub", {back, v}), u});
        const OnnxValue isExact = ctx.emit("Equal", {back, v});
        return ctx.emit("Where", {isExact, logarithm, ctx.emit("Sub", {logarithm, lost})});
    });
}

/// The larger operand plus log1p(exp(-difference)). Equal operands, which may be infinite, count as a difference of 0.
OnnxValue logAddExp(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue larger = ctx.emit("Max", {a, b});
    const OnnxValue smaller = ctx.emit("Min", {a, b});
    const OnnxValue zero = emit::scalarLike(ctx, larger, 0);
    const OnnxValue gap =
        ctx.emit("Where", {ctx.emit("Equal", {larger, smaller}), zero, ctx.emit("Sub", {smaller, larger})});
    return ctx.emit("Add", {larger, logOnePlus(ctx, exp(ctx, gap))});
}

OnnxValue sqrt(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Sqrt", x);
}

OnnxValue reciprocalSqrt(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) { return ctx.emit("Reciprocal", {ctx.emit("Sqrt", {v})}); });
}

OnnxValue cbrt(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) {
        return ctx.emit("Mul", {ctx.emit("Sign", {v}), with(ctx, "Pow", ctx.emit("Abs", {v}), 1.0 / 3)});
    });
}

OnnxValue reciprocalCbrt(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) { return ctx.emit("Reciprocal", {cbrt(ctx, v)}); });
}

OnnxValue reciprocal(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Reciprocal", x);
}

OnnxValue degrees(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) { return with(ctx, "Mul", v, 180 / std::numbers::pi); });
}

OnnxValue radians(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) { return with(ctx, "Mul", v, std::numbers::pi / 180); });
}

OnnxValue erf(const NodeContext& ctx, OnnxValue x)
{
    if (isDouble(ctx, x)) {
        return special::error(ctx, x);
    }
    return computedAs(ctx, ElementType::Float32, x, [&](OnnxValue v) { return ctx.emit("Erf", {v}); });
}

OnnxValue sigmoid(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Sigmoid", x);
}

OnnxValue softplus(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Softplus", x);
    }
    const OnnxValue decay = ctx.emit("Exp", {ctx.emit("Neg", {ctx.emit("Abs", {x})})});
    return ctx.emit("Add", {ctx.emit("Max", {x, emit::scalarLike(ctx, x, 0)}), logOnePlus(ctx, decay)});
}

OnnxValue softsign(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Softsign", x);
    }
    return ctx.emit("Div", {x, with(ctx, "Add", ctx.emit("Abs", {x}), 1)});
}

OnnxValue floor(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Floor", x);
}

OnnxValue ceil(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Ceil", x);
}

OnnxValue truncate(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) {
        return ctx.emit("Where", {with(ctx, "Less", v, 0), ctx.emit("Ceil", {v}), ctx.emit("Floor", {v})});
    });
}

OnnxValue roundAwayFromZero(const NodeContext& ctx, OnnxValue x)
{
    // ONNX's Round rounds halves to even. Adding 1/2 would round before the floor does: the fraction is exact.
    return single(ctx, x, [&](OnnxValue v) {
        const OnnxValue magnitude = ctx.emit("Abs", {v});
        const OnnxValue whole = ctx.emit("Floor", {magnitude});
        const OnnxValue isBelow = with(ctx, "Less", ctx.emit("Sub", {magnitude, whole}), 0.5);
        const OnnxValue rounded = ctx.emit("Where", {isBelow, whole, ctx.emit("Ceil", {magnitude})});
        return ctx.emit("Mul", {ctx.emit("Sign", {v}), rounded});
    });
}

OnnxValue roundHalfDown(const NodeContext& ctx, OnnxValue x)
{
    return single(ctx, x, [&](OnnxValue v) {
        const OnnxValue below = ctx.emit("Floor", {v});
        const OnnxValue above = ctx.emit("Ceil", {v});
        const OnnxValue isAbove = ctx.emit("Greater", {ctx.emit("Sub", {v, below}), ctx.emit("Sub", {above, v})});
        return ctx.emit("Where", {isAbove, above, below});
    });
}

} // namespace crosswalk::forms::elementary
