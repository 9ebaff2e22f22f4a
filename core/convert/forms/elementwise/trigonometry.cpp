// Circular and hyperbolic functions. ONNX Runtime has most of them in single precision only.

#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/elementary_nodes.h"

#include <numbers>

namespace crosswalk::forms::elementary {
namespace {

/// The single-precision result for a double.
OnnxValue nearly(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float32, x, [&](OnnxValue v) { return ctx.emit(op, {v}); });
}

/// e^-|x|
OnnxValue decay(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Exp", {ctx.emit("Neg", {ctx.emit("Abs", {x})})});
}

/// a sin y + b cos y
OnnxValue turned(const NodeContext& ctx, OnnxValue y, OnnxValue a, OnnxValue b)
{
    const OnnxValue sine = ctx.emit("Mul", {a, ctx.emit("Sin", {y})});
    return ctx.emit("Add", {sine, ctx.emit("Mul", {b, ctx.emit("Cos", {y})})});
}

/// sqrt(1 - x^2), also where x is near 1.
OnnxValue leg(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue one = emit::scalarLike(ctx, x, 1);
    return ctx.emit("Sqrt", {ctx.emit("Mul", {ctx.emit("Sub", {one, x}), ctx.emit("Add", {one, x})})});
}

} // namespace

OnnxValue sin(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Sin", x);
}

OnnxValue cos(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Cos", x);
}

OnnxValue tan(const NodeContext& ctx, OnnxValue x)
{
    return isDouble(ctx, x) ? ctx.emit("Div", {ctx.emit("Sin", {x}), ctx.emit("Cos", {x})}) : plain(ctx, "Tan", x);
}

OnnxValue arcsin(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Asin", x);
    }
    // What single precision missed is the sine of the difference, x cos y - sqrt(1 - x^2) sin y.
    const OnnxValue near = nearly(ctx, "Asin", x);
    return ctx.emit("Add", {near, turned(ctx, near, ctx.emit("Neg", {leg(ctx, x)}), x)});
}

OnnxValue arccos(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Acos", x);
    }
    const OnnxValue near = nearly(ctx, "Acos", x);
    return ctx.emit("Sub", {near, turned(ctx, near, x, ctx.emit("Neg", {leg(ctx, x)}))});
}

OnnxValue arctan(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Atan", x);
    }
    // The tangent of what single precision missed; beyond 1e8 it missed nothing that a double holds of pi/2 - 1/x but
    // the rounding, and infinity must not meet itself.
    const OnnxValue near = nearly(ctx, "Atan", x);
    const OnnxValue one = emit::scalarLike(ctx, x, 1);
    const OnnxValue far = emit::clip(ctx, x, -1e16, 1e16);
    const OnnxValue missed =
        ctx.emit("Div", {turned(ctx, near, emit::scalarLike(ctx, x, -1), far), turned(ctx, near, far, one)});
    return ctx.emit("Add", {near, missed});
}

OnnxValue sinh(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Sinh", x);
    }
    // With E = e^-|x| - 1, which is accurate near 0: -sign(x) (E + E / e^-|x|) / 2.
    const OnnxValue falling = ctx.emit("Neg", {ctx.emit("Abs", {x})});
    const OnnxValue change = expMinusOne(ctx, falling);
    const OnnxValue sum = ctx.emit("Add", {change, ctx.emit("Div", {change, decay(ctx, x)})});
    return ctx.emit("Mul", {with(ctx, "Mul", ctx.emit("Sign", {x}), -0.5), sum});
}

OnnxValue cosh(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Cosh", x);
    }
    const OnnxValue falling = decay(ctx, x);
    return with(ctx, "Mul", ctx.emit("Add", {falling, ctx.emit("Reciprocal", {falling})}), 0.5);
}

OnnxValue tanh(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Tanh", x);
}

OnnxValue arcsinh(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Asinh", x);
    }
    // sign(x) ln(1 + |x| + x^2 / (1 + sqrt(1 + x^2)))
    const OnnxValue magnitude = ctx.emit("Abs", {x});
    const OnnxValue square = ctx.emit("Mul", {x, x});
    const OnnxValue root = with(ctx, "Add", ctx.emit("Sqrt", {with(ctx, "Add", square, 1)}), 1);
    const OnnxValue inner = ctx.emit("Add", {magnitude, ctx.emit("Div", {square, root})});
    const OnnxValue ofLarge =
        with(ctx, "Add", ctx.emit("Log", {magnitude}), std::numbers::ln2); // 2 |x| of the same size
    const OnnxValue isLarge = ctx.emit("Greater", {magnitude, emit::scalarLike(ctx, x, 1e9)});
    const OnnxValue size = ctx.emit("Where", {isLarge, ofLarge, logOnePlus(ctx, inner)});
    return ctx.emit("Mul", {ctx.emit("Sign", {x}), size});
}

OnnxValue arccosh(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Acosh", x);
    }
    // ln(1 + t + sqrt(t) sqrt(t + 2)) with t = x - 1
    const OnnxValue t = with(ctx, "Sub", x, 1);
    const OnnxValue root = ctx.emit("Mul", {ctx.emit("Sqrt", {t}), ctx.emit("Sqrt", {with(ctx, "Add", t, 2)})});
    return logOnePlus(ctx, ctx.emit("Add", {t, root}));
}

OnnxValue arctanh(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return plain(ctx, "Atanh", x);
    }
    const OnnxValue ratio =
        ctx.emit("Div", {with(ctx, "Mul", x, 2), ctx.emit("Sub", {emit::scalarLike(ctx, x, 1), x})});
    return with(ctx, "Mul", logOnePlus(ctx, ratio), 0.5);
}

} // namespace crosswalk::forms::elementary
