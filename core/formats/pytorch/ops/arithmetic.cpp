// Arithmetic of two or three operands that broadcast.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/division.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/pytorch/ops/half_steps.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;
using arithmetic::Binary;

struct Operands {
    OnnxValue a;
    OnnxValue b;
    ElementType type;
};

Operands operandsIn(const NodeContext& ctx, ElementType type)
{
    const Arguments arguments(ctx);
    return {operand(ctx, arguments, "self", type), operand(ctx, arguments, "other", type), type};
}

/// Both in the type that they have together.
Operands operandsOf(const NodeContext& ctx)
{
    return operandsIn(ctx, resultType(ctx, Arguments(ctx), {"self", "other"}));
}

/// The type in which PyTorch computes what it rounds to a type once (at::opmath_type): float32 for half precision.
ElementType opmathType(ElementType type)
{
    return type == ElementType::Float16 || type == ElementType::BFloat16 ? ElementType::Float32 : type;
}

/// function(self, other). PyTorch multiplies and divides tensors of half precision by a number, or a tensor without
/// dimensions, in single precision: x / 1e5 is not x / inf.
OnnxValue scaledByOther(const NodeContext& ctx, const Operands& operands, Binary function)
{
    const auto [a, b, type] = operands;
    const ElementType wide = opmathType(type);
    if (wide == type || ctx.rank(b) != 0) {
        return function(ctx, a, b);
    }
    const OnnxValue number = operand(ctx, Arguments(ctx), "other", wide);
    const Tensor* known = ctx.onnx.content(number);
    if (known != nullptr && known->converted(type).toDoubles() == known->toDoubles()) {
        return function(ctx, a, b);
    }
    return emit::cast(ctx, function(ctx, emit::cast(ctx, a, wide), number), type);
}

/// x times an argument that is 1 mostly.
OnnxValue scaledBy(const NodeContext& ctx, OnnxValue x, const Arguments& arguments, std::string_view factor)
{
    if (!arguments.has(factor) || (arguments.isStored(factor) && arguments.number(factor, 1) == 1)) {
        return x;
    }
    return arithmetic::multiply(ctx, x, operand(ctx, arguments, factor, ctx.element(x)));
}

OnnxValues add(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    const OnnxValue scaled = scaledBy(ctx, b, Arguments(ctx), "alpha");
    return {type == ElementType::Bool ? arithmetic::logicalOr(ctx, a, scaled) : arithmetic::add(ctx, a, scaled)};
}

OnnxValues subtract(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    return {arithmetic::subtract(ctx, a, scaledBy(ctx, b, Arguments(ctx), "alpha"))};
}

OnnxValues subtractFrom(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    return {arithmetic::subtract(ctx, b, scaledBy(ctx, a, Arguments(ctx), "alpha"))};
}

OnnxValues multiply(NodeContext& ctx)
{
    const Operands operands = operandsOf(ctx);
    return {operands.type == ElementType::Bool ? arithmetic::logicalAnd(ctx, operands.a, operands.b)
                                               : scaledByOther(ctx, operands, arithmetic::multiply)};
}

OnnxValue floorQuotient(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (!isFloating(ctx.element(a))) {
        return arithmetic::floorQuotient(ctx, a, b);
    }
    // The quotient of what is divisible is next to an integer, which Round finds; a division by zero keeps a / b.
    const OnnxValue rest = arithmetic::floorRemainder(ctx, a, b);
    const OnnxValue whole = ctx.emit("Round", {ctx.emit("Div", {ctx.emit("Sub", {a, rest}), b})});
    const OnnxValue isZero = ctx.emit("Equal", {b, emit::scalarLike(ctx, b, 0)});
    return ctx.emit("Where", {isZero, ctx.emit("Div", {a, b}), whole});
}

OnnxValues divide(NodeContext& ctx)
{
    const std::string mode = Arguments(ctx).text("rounding_mode");
    if (mode == "floor") {
        return {scaledByOther(ctx, operandsOf(ctx), floorQuotient)};
    }
    if (mode == "trunc") {
        const auto [a, b, type] = operandsOf(ctx);
        const HalfSteps step(ctx, type);
        const OnnxValue quotient = step.round(arithmetic::divide(ctx, step.start(a), step.start(b)));
        return {isFloating(type) ? step.end(elementary::truncate(ctx, quotient)) : quotient};
    }
    // Not first in a type of integers that they have together: bytes divided by 256 are not divided by 0.
    const ElementType type = floatingType(resultType(ctx, Arguments(ctx), {"self", "other"}));
    return {scaledByOther(ctx, operandsIn(ctx, type), arithmetic::divide)};
}

/// Division in archives of TorchScript up to version 3: integers are divided as C divides them.
OnnxValues divideAsBefore(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    const bool isInteger = !isFloating(type) && type != ElementType::Bool;
    return isInteger ? OnnxValues{arithmetic::divide(ctx, a, b)} : divide(ctx);
}

OnnxValues floorDivide(NodeContext& ctx)
{
    return {scaledByOther(ctx, operandsOf(ctx), floorQuotient)};
}

template <Binary function>
OnnxValues binary(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    return {function(ctx, a, b)};
}

/// A negative power of an integer is 0, except that of 1 or -1.
OnnxValue integerPower(const NodeContext& ctx, OnnxValue base, OnnxValue exponent)
{
    const Tensor* known = ctx.onnx.content(exponent);
    const bool isPositive = known != nullptr && std::ranges::all_of(known->toInts(), [](auto n) { return n >= 0; });
    const ElementType type = ctx.element(exponent);
    if (isPositive || forms::isUnsigned(type) || type == ElementType::Bool) {
        return arithmetic::integerPower(ctx, base, exponent);
    }
    const auto number = [&](OnnxValue like, double value) { return emit::scalarLike(ctx, like, value); };
    const OnnxValue isNegative = arithmetic::less(ctx, exponent, number(exponent, 0));
    const OnnxValue size =
        forms::computedAs(ctx, forms::widened(type), exponent, [&](OnnxValue wide) { return ctx.emit("Abs", {wide}); });
    const OnnxValue power = arithmetic::integerPower(ctx, base, size);
    const OnnxValue isUnit =
        ctx.emit("Or", {arithmetic::equal(ctx, base, number(base, 1)), arithmetic::equal(ctx, base, number(base, -1))});
    const OnnxValue vanishes = ctx.emit("And", {isNegative, ctx.emit("Not", {isUnit})});
    return forms::choose(ctx, vanishes, number(power, 0), power);
}

OnnxValues power(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "exponent"});
    const OnnxValue base = operand(ctx, arguments, "self", type);
    if (arguments.isStored("exponent") && isFloating(type)) {
        const double exponent = arguments.number("exponent", 1);
        if (exponent == 2) {
            return {arithmetic::multiply(ctx, base, base)};
        }
        if (exponent == 0.5) {
            return {elementary::sqrt(ctx, base)};
        }
    }
    const OnnxValue exponent = operand(ctx, arguments, "exponent", type);
    if (isFloating(type)) {
        return {arithmetic::power(ctx, base, exponent)};
    }
    return {integerPower(ctx, base, exponent)};
}

OnnxValues maximum(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    return {arithmetic::maximum(ctx, a, b)};
}

OnnxValues minimum(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    return {arithmetic::minimum(ctx, a, b)};
}

/// self + value * f(tensor1, tensor2)
template <bool isQuotient>
OnnxValues addOf(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ElementType type = resultType(ctx, arguments, {"self", "tensor1", "tensor2"});
    type = isQuotient ? floatingType(type) : type;
    const auto as = [&](std::string_view name) { return operand(ctx, arguments, name, opmathType(type)); };
    OnnxValue factor = scaledBy(ctx, as("tensor1"), arguments, "value");
    factor =
        isQuotient ? arithmetic::divide(ctx, factor, as("tensor2")) : arithmetic::multiply(ctx, factor, as("tensor2"));
    return {emit::cast(ctx, arithmetic::add(ctx, as("self"), factor), type)};
}

/// a + w (b - a), from the nearer end.
OnnxValues interpolate(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType own = resultType(ctx, arguments, {"self", "end", "weight"});
    const ElementType type = opmathType(own);
    const OnnxValue a = operand(ctx, arguments, "self", type);
    const OnnxValue b = operand(ctx, arguments, "end", type);
    const OnnxValue w = operand(ctx, arguments, "weight", type);
    const OnnxValue difference = arithmetic::subtract(ctx, b, a);
    const OnnxValue fromStart = arithmetic::add(ctx, a, arithmetic::multiply(ctx, w, difference));
    const OnnxValue rest = arithmetic::subtract(ctx, emit::scalarLike(ctx, w, 1), w);
    const OnnxValue fromEnd = arithmetic::subtract(ctx, b, arithmetic::multiply(ctx, rest, difference));
    const OnnxValue isNear = ctx.emit("Less", {ctx.emit("Abs", {w}), emit::scalarLike(ctx, w, 0.5)});
    return {emit::cast(ctx, forms::choose(ctx, isNear, fromStart, fromEnd), own)};
}

template <Binary logical, Binary integers>
OnnxValues bitwise(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    return {type == ElementType::Bool ? logical(ctx, a, b) : integers(ctx, a, b)};
}

OnnxValues bitwiseNot(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    return {ctx.element(x) == ElementType::Bool ? ctx.emit("Not", {x}) : arithmetic::bitwiseNot(ctx, x)};
}

/// A count that is negative or at least the number of bits results in 0, or to the right in the sign.
template <bool isLeft>
OnnxValues shift(NodeContext& ctx)
{
    const auto [a, b, type] = operandsOf(ctx);
    if (isFloating(type)) {
        ctx.refuse("a shift of floating-point numbers is not supported", "self");
    }
    return {arithmetic::shifted(ctx, a, b, isLeft)};
}

OnnxValues square(NodeContext& ctx)
{
    OnnxValue x = Arguments(ctx).tensor("self");
    x = ctx.element(x) == ElementType::Bool ? emit::cast(ctx, x, ElementType::Int64) : x;
    return {arithmetic::multiply(ctx, x, x)};
}

/// In double precision.
OnnxValues floatPower(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {ctx.emit("Pow", {operand(ctx, arguments, "self", ElementType::Float64),
                             operand(ctx, arguments, "exponent", ElementType::Float64)})};
}

/// self * 2^other, in the type of self unless other is floating
OnnxValues timesPowerOfTwo(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue exponent = arguments.tensor("other");
    const ElementType type = isFloating(ctx.element(exponent)) ? resultType(ctx, arguments, {"self", "other"})
                                                               : floatingType(ctx.element(x));
    const OnnxValue power = arithmetic::power(ctx, ctx.onnx.scalar(type, 2), emit::cast(ctx, exponent, type));
    return {arithmetic::multiply(ctx, emit::cast(ctx, x, type), power)};
}

} // namespace

std::span<const OpRow> arithmeticOps()
{
    static constexpr OpRow rows[] = {
        {"aten::add", add, "Add"},
        {"aten::sub", subtract, "Sub"},
        {"aten::subtract", subtract, "Sub"},
        {"aten::rsub", subtractFrom, "Sub"},
        {"aten::mul", multiply, "Mul"},
        {"aten::multiply", multiply, "Mul"},
        {"aten::div", divide, "Div"},
        {"aten::div.legacy", divideAsBefore, "Div"},
        {"aten::divide", divide, "Div"},
        {"aten::true_divide", divide, "Div"},
        {"aten::floor_divide", floorDivide, "Div, Floor"},
        {"aten::remainder", binary<arithmetic::floorRemainder>, "Mod"},
        {"aten::fmod", binary<arithmetic::truncatedRemainder>, "Mod"},
        {"aten::pow", power, "Pow"},
        {"aten::maximum", maximum, "Max"},
        {"aten::minimum", minimum, "Min"},
        {"aten::addcmul", addOf<false>, "Mul, Add"},
        {"aten::addcdiv", addOf<true>, "Div, Add"},
        {"aten::lerp", interpolate, "Mul, Add, Where"},
        {"aten::bitwise_and", bitwise<arithmetic::logicalAnd, arithmetic::bitwiseAnd>, "BitwiseAnd"},
        {"aten::bitwise_or", bitwise<arithmetic::logicalOr, arithmetic::bitwiseOr>, "BitwiseOr"},
        {"aten::bitwise_xor", bitwise<arithmetic::logicalXor, arithmetic::bitwiseXor>, "BitwiseXor"},
        {"aten::__and__", bitwise<arithmetic::logicalAnd, arithmetic::bitwiseAnd>, "BitwiseAnd"},
        {"aten::__or__", bitwise<arithmetic::logicalOr, arithmetic::bitwiseOr>, "BitwiseOr"},
        {"aten::__xor__", bitwise<arithmetic::logicalXor, arithmetic::bitwiseXor>, "BitwiseXor"},
        {"aten::bitwise_not", bitwiseNot, "BitwiseNot"},
        {"aten::bitwise_left_shift", shift<true>, "BitShift"},
        {"aten::__lshift__", shift<true>, "BitShift"},
        {"aten::bitwise_right_shift", shift<false>, "BitShift"},
        {"aten::__rshift__", shift<false>, "BitShift"},
        {"aten::square", square, "Mul"},
        {"aten::float_power", floatPower, "Pow"},
        {"aten::ldexp", timesPowerOfTwo, "Pow, Mul"},
        {"aten::gcd", binary<arithmetic::greatestCommonDivisor>, "Mod, Loop"},
        {"aten::lcm", binary<arithmetic::leastCommonMultiple>, "Mod, Loop"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
