// Arithmetic of two tensors that broadcast.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/division.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/formats/tensorflow/ops/math/binary_operator.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

OnnxValue zeroOf(const NodeContext& ctx, OnnxValue x)
{
    return emit::scalarLike(ctx, x, 0);
}

OnnxValue add(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.element(a) != ElementType::String) {
        return arithmetic::add(ctx, a, b);
    }
    expectOpset(ctx, 20, "StringConcat");
    return ctx.emit("StringConcat", {a, b});
}

OnnxValue floorDivide(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return isFloating(ctx.element(a)) ? elementary::floor(ctx, arithmetic::divide(ctx, a, b))
                                      : arithmetic::floorQuotient(ctx, a, b);
}

OnnxValue truncatedDivide(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue quotient = arithmetic::divide(ctx, a, b);
    return isFloating(ctx.element(a)) ? elementary::truncate(ctx, quotient) : quotient;
}

OnnxValue power(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (!isFloating(ctx.element(a))) { // ONNX Runtime's Pow computes in doubles
        return arithmetic::integerPower(ctx, a, b);
    }
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Pow", {x, y});
    });
}

OnnxValue squaredDifference(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue difference = arithmetic::subtract(ctx, a, b);
    return arithmetic::multiply(ctx, difference, difference);
}

/// value, but 0 if x is 0.
OnnxValue unlessZero(const NodeContext& ctx, OnnxValue x, OnnxValue value)
{
    return choose(ctx, arithmetic::equal(ctx, x, zeroOf(ctx, x)), zeroOf(ctx, value), value);
}

OnnxValue divideNoNan(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return unlessZero(ctx, b, arithmetic::divide(ctx, a, b));
}

OnnxValue multiplyNoNan(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return unlessZero(ctx, b, arithmetic::multiply(ctx, a, b));
}

OnnxValue xDivY(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return unlessZero(ctx, a, arithmetic::divide(ctx, a, b));
}

OnnxValue xLogY(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return unlessZero(ctx, a, arithmetic::multiply(ctx, a, elementary::log(ctx, b)));
}

OnnxValue xLogOnePlusY(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return unlessZero(ctx, a, arithmetic::multiply(ctx, a, elementary::logOnePlus(ctx, b)));
}

OnnxValues sumOfAll(NodeContext& ctx)
{
    OnnxValue sum = ctx.input(0);
    const ElementType type = ctx.element(sum);
    if (ctx.inputCount() > 2 && isFloating(type) && type != ElementType::BFloat16) {
        return {ctx.emit("Sum", ctx.inputs())};
    }
    for (std::size_t i = 1; i < ctx.inputCount(); ++i) {
        sum = arithmetic::add(ctx, sum, ctx.input(i));
    }
    return {sum};
}

/// The vector product along the last axis, of size 3.
OnnxValues cross(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const auto last = static_cast<std::int64_t>(ctx.rank(a)) - 1;
    const auto turned = [&](OnnxValue x, const Ints& order) {
        return emit::gather(ctx, x, ctx.onnx.ints(order), last);
    };
    const OnnxValue b = ctx.input(1);
    const OnnxValue first = arithmetic::multiply(ctx, turned(a, {1, 2, 0}), turned(b, {2, 0, 1}));
    const OnnxValue second = arithmetic::multiply(ctx, turned(a, {2, 0, 1}), turned(b, {1, 2, 0}));
    return {arithmetic::subtract(ctx, first, second)};
}

/// The upper bound first: if it is below the lower one, the lower one wins.
OnnxValues clipByValue(NodeContext& ctx)
{
    return {arithmetic::maximum(ctx, arithmetic::minimum(ctx, ctx.input(0), ctx.input(2)), ctx.input(1))};
}

} // namespace

std::span<const OpRow> binaryOps()
{
    static constexpr OpRow rows[] = {
        {"AccumulateNV2", sumOfAll, "Sum"},
        {"Add", binary<add>, "Add"},
        {"AddN", sumOfAll, "Sum"},
        {"AddV2", binary<add>, "Add"},
        {"Atan2", binary<arithmetic::angle>, "Atan, Where"},
        {"BitwiseAnd", binary<arithmetic::bitwiseAnd>, "BitwiseAnd, or Mod and And"},
        {"BitwiseOr", binary<arithmetic::bitwiseOr>, "BitwiseOr, or Mod and And"},
        {"BitwiseXor", binary<arithmetic::bitwiseXor>, "BitwiseXor, or Mod and And"},
        {"ClipByValue", clipByValue, "Min, Max"},
        {"Cross", cross, "Gather, Mul, Sub"},
        {"Div", binary<arithmetic::divide>, "Div"},
        {"DivNoNan", binary<divideNoNan>, "Div, Where"},
        {"FloorDiv", binary<floorDivide>, "Div, Floor, or Mod"},
        {"FloorMod", binary<arithmetic::floorRemainder>, "Mod, Where"},
        {"Maximum", binary<arithmetic::maximum>, "Max"},
        {"Minimum", binary<arithmetic::minimum>, "Min"},
        {"Mod", binary<arithmetic::truncatedRemainder>, "Mod, or Div, Mul, Sub"},
        {"Mul", binary<arithmetic::multiply>, "Mul"},
        {"MulNoNan", binary<multiplyNoNan>, "Mul, Where"},
        {"Pow", binary<power>, "Pow, or Mul or Loop"},
        {"RealDiv", binary<arithmetic::divide>, "Div"},
        {"SquaredDifference", binary<squaredDifference>, "Sub, Mul"},
        {"Sub", binary<arithmetic::subtract>, "Sub"},
        {"TruncateDiv", binary<truncatedDivide>, "Div"},
        {"TruncateMod", binary<arithmetic::truncatedRemainder>, "Mod, or Div, Mul, Sub"},
        {"Xdivy", binary<xDivY>, "Div, Where"},
        {"Xlog1py", binary<xLogOnePlusY>, "Log, Mul, Where"},
        {"Xlogy", binary<xLogY>, "Log, Mul, Where"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
