#include "core/convert/forms/elementwise/arithmetic.h"

#include "core/convert/forms/elementwise/compute_type.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::forms::arithmetic {
namespace {

void expectOneType(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.element(a) != ctx.element(b)) {
        ctx.invalid(fmt::format("{} of {} and {}: the operands have different types", ctx.node.op,
                                elementTypeName(ctx.element(a)), elementTypeName(ctx.element(b))));
    }
}

/// An operator that has the narrow integers only from `narrowOpset` on, and BFloat16 hardly anywhere.
OnnxValue direct(const NodeContext& ctx, std::string_view op, OnnxValue a, OnnxValue b, int narrowOpset)
{
    expectOneType(ctx, a, b);
    const ElementType type = ctx.element(a);
    const bool isMissing = isNarrowInteger(type) && ctx.onnx.opset() < narrowOpset;
    return computedAs(ctx, isMissing || isFloating(type) ? widened(type) : type, a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit(op, {x, y});
    });
}

constexpr int narrowArithmeticOpset = 14;
/// GreaterOrEqual and LessOrEqual came with 12, their shape inference with 16.
constexpr int orEqualOpset = 16;

OnnxValue truth(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, ElementType::Bool);
}

/// Greater and Less have every type but bool.
OnnxValue compared(const NodeContext& ctx, std::string_view op, OnnxValue a, OnnxValue b)
{
    expectOneType(ctx, a, b);
    const ElementType own = ctx.element(a);
    const ElementType type = own == ElementType::Bool || own == ElementType::BFloat16 ? widened(own) : own;
    return ctx.emit(op, {emit::cast(ctx, a, type), emit::cast(ctx, b, type)});
}

/// Whether x is computed from dimensions, which are far below 2^31.
bool isComputedSize(const NodeContext& ctx, OnnxValue x)
{
    const auto dims = ctx.onnx.content(x) == nullptr ? ctx.onnx.integers(x) : std::nullopt;
    return dims && std::ranges::any_of(*dims, [](const Dim& dim) { return !dim.isUnknown(); });
}

/// The larger or the smaller: `op` is Max or Min, `wins`: whether a is selected.
OnnxValue extreme(const NodeContext& ctx, std::string_view op, Binary wins, OnnxValue a, OnnxValue b)
{
    expectOneType(ctx, a, b);
    const ElementType type = ctx.element(a);
    if (isFloating(type)) {
        return direct(ctx, op, a, b, 0);
    }
    if (ctx.onnx.opset() >= 12) {
        const bool hasKernel = type != ElementType::Bool && type != ElementType::Int16 && type != ElementType::UInt16;
        // Where their upper halves are equal, ONNX Runtime compares the lower halves of int64 as if they had a sign:
        // its Max of 2^31 and 100 is 100.
        if (type != ElementType::Int64 || isComputedSize(ctx, a) || isComputedSize(ctx, b)) {
            return hasKernel ? ctx.emit(op, {a, b}) : direct(ctx, op, a, b, 99);
        }
    }
    return computedAs(ctx, widened(type), a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Where", {wins(ctx, x, y), x, y});
    });
}

OnnxValue zeroOf(const NodeContext& ctx, OnnxValue x)
{
    return emit::scalarLike(ctx, x, 0);
}

/// fmod has the sign of the dividend, modulo that of the divisor: where they differ, one divisor is added.
OnnxValue floatModulo(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue rest = ctx.emit("Mod", {a, b}, {{"fmod", 1}});
    const OnnxValue shifted = ctx.emit("Add", {rest, b});
    if (const Tensor* divisor = ctx.onnx.content(b); divisor != nullptr && divisor->rank() == 0) {
        const double value = divisor->toDoubles().front();
        if (value == 0) {
            return emit::expand(ctx, zeroOf(ctx, a), emit::shapeVector(ctx, a));
        }
        const OnnxValue isOther = ctx.emit(value > 0 ? "Less" : "Greater", {rest, zeroOf(ctx, b)});
        return ctx.emit("Where", {isOther, shifted, rest});
    }
    // Signs, not the product of the two, which can underflow.
    const OnnxValue isOther =
        compared(ctx, "Less", ctx.emit("Mul", {ctx.emit("Sign", {rest}), ctx.emit("Sign", {b})}), zeroOf(ctx, b));
    const OnnxValue remainder = ctx.emit("Where", {isOther, shifted, rest});
    return ctx.emit("Where", {compared(ctx, "Equal", b, zeroOf(ctx, b)), zeroOf(ctx, b), remainder});
}

/// Integers: ONNX's Mod has the divisor's sign too, but the divisor must not be zero.
OnnxValue integerModulo(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const Tensor* divisor = ctx.onnx.content(b);
    if (divisor != nullptr && divisor->elements() == 1 && divisor->toInts().front() != 0) {
        return ctx.emit("Mod", {a, b});
    }
    // x mod 1 is 0, as x mod 0 must be.
    const OnnxValue isZero = ctx.emit("Equal", {b, zeroOf(ctx, b)});
    return ctx.emit("Mod", {a, ctx.emit("Where", {isZero, emit::scalarLike(ctx, b, 1), b})});
}

/// Of doubles, near the limits of which the squares of floats neither overflow nor vanish.
OnnxValue hypotenuseOfDoubles(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool isDouble)
{
    const auto number = [&](double value) { return ctx.onnx.scalar(ElementType::Float64, value); };
    const auto root = [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Sqrt", {ctx.emit("Add", {ctx.emit("Mul", {x, x}), ctx.emit("Mul", {y, y})})});
    };
    OnnxValue length;
    if (isDouble) { // both are brought near 1 by a power of two
        const OnnxValue larger = ctx.emit("Max", {ctx.emit("Abs", {a}), ctx.emit("Abs", {b})});
        const OnnxValue isSmall = ctx.emit("Less", {larger, number(0x1p-400)});
        const OnnxValue isLarge = ctx.emit("Greater", {larger, number(0x1p400)});
        const auto chosen = [&](double small, double large) {
            return ctx.emit("Where", {isSmall, number(small), ctx.emit("Where", {isLarge, number(large), number(1)})});
        };
        const OnnxValue scale = chosen(0x1p600, 0x1p-600);
        length = ctx.emit("Mul",
                          {root(ctx.emit("Mul", {a, scale}), ctx.emit("Mul", {b, scale})), chosen(0x1p-600, 0x1p600)});
    } else {
        length = root(a, b);
    }
    // An infinite side wins over one that is missing.
    const OnnxValue isInfinite = ctx.emit("Or", {ctx.emit("IsInf", {a}), ctx.emit("IsInf", {b})});
    return ctx.emit("Where", {isInfinite, number(std::numeric_limits<double>::infinity()), length});
}

} // namespace

OnnxValue add(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.element(a) == ElementType::Bool ? logicalOr(ctx, a, b) : direct(ctx, "Add", a, b, narrowArithmeticOpset);
}

OnnxValue subtract(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.element(a) == ElementType::Bool ? logicalXor(ctx, a, b)
                                               : direct(ctx, "Sub", a, b, narrowArithmeticOpset);
}

OnnxValue multiply(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.element(a) == ElementType::Bool ? logicalAnd(ctx, a, b)
                                               : direct(ctx, "Mul", a, b, narrowArithmeticOpset);
}

OnnxValue divide(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return direct(ctx, "Div", a, b, ctx.element(a) == ElementType::Bool ? 99 : narrowArithmeticOpset);
}

OnnxValue modulo(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    expectOneType(ctx, a, b);
    const ElementType type = ctx.element(a);
    return computedAs(ctx, widened(type), a, b, [&](OnnxValue x, OnnxValue y) {
        return isFloating(type) ? floatModulo(ctx, x, y) : integerModulo(ctx, x, y);
    });
}

OnnxValue power(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    expectOneType(ctx, a, b);
    const ElementType type = isFloating(ctx.element(a)) ? widened(ctx.element(a)) : ElementType::Float32;
    return computedAs(ctx, type, a, b, [&](OnnxValue x, OnnxValue y) { return ctx.emit("Pow", {x, y}); });
}

OnnxValue hypotenuse(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    expectOneType(ctx, a, b);
    const ElementType own = ctx.element(a);
    if (isFloating(own)) {
        return computedAs(ctx, ElementType::Float64, a, b, [&](OnnxValue x, OnnxValue y) {
            return hypotenuseOfDoubles(ctx, x, y, own == ElementType::Float64);
        });
    }
    return computedAs(ctx, ElementType::Float64, a, b, [&](OnnxValue x, OnnxValue y) {
        const OnnxValue squares = ctx.emit("Add", {ctx.emit("Mul", {x, x}), ctx.emit("Mul", {y, y})});
        return emit::cast(ctx, ctx.emit("Sqrt", {squares}), ElementType::Float32);
    });
}

OnnxValue maximum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return extreme(ctx, "Max", greater, a, b);
}

OnnxValue minimum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return extreme(ctx, "Min", less, a, b);
}

OnnxValue equal(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return compared(ctx, "Equal", a, b);
}

OnnxValue notEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("Not", {equal(ctx, a, b)});
}

OnnxValue greater(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return compared(ctx, "Greater", a, b);
}

OnnxValue greaterOrEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.onnx.opset() >= orEqualOpset) {
        return compared(ctx, "GreaterOrEqual", a, b);
    }
    // Not the negation of Less: that would be true of NaN.
    return ctx.emit("Or", {greater(ctx, a, b), equal(ctx, a, b)});
}

OnnxValue less(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return compared(ctx, "Less", a, b);
}

OnnxValue lessOrEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.onnx.opset() >= orEqualOpset) {
        return compared(ctx, "LessOrEqual", a, b);
    }
    return ctx.emit("Or", {less(ctx, a, b), equal(ctx, a, b)});
}

OnnxValue logicalAnd(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("And", {truth(ctx, a), truth(ctx, b)});
}

OnnxValue logicalOr(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("Or", {truth(ctx, a), truth(ctx, b)});
}

OnnxValue logicalXor(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("Xor", {truth(ctx, a), truth(ctx, b)});
}

} // namespace crosswalk::forms::arithmetic
