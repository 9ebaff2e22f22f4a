// Operations of Keras 3 on numbers, element by element, which few models have: roots, angles, special values, bits.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/division.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace crosswalk::keras {
namespace {

template <elementary::Unary function>
OnnxValues ofNumbers(const Layer& layer)
{
    return {function(layer.ctx, floatingOperand(layer))};
}

template <arithmetic::Binary operation>
OnnxValues ofFloats(const Layer& layer)
{
    const Operands pair = floatingOperandsOf(layer);
    return {operation(layer.ctx, pair.a, pair.b)};
}

OnnxValue complementOfError(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Sub", {emit::scalarLike(ctx, x, 1), elementary::erf(ctx, x)});
}

OnnxValue powerOfTwo(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Pow", {emit::scalarLike(ctx, x, 2), x});
}

OnnxValue magnitude(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Abs", {x});
}

/// sin(pi x) / (pi x), 1 at 0.
OnnxValue sinc(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue isZero = ctx.emit("Equal", {x, emit::scalarLike(ctx, x, 0)});
    const OnnxValue safe = ctx.emit("Where", {isZero, emit::scalarLike(ctx, x, 1), x});
    const OnnxValue angle = ctx.emit("Mul", {safe, emit::scalarLike(ctx, x, std::numbers::pi)});
    const OnnxValue share = ctx.emit("Div", {elementary::sin(ctx, angle), angle});
    return ctx.emit("Where", {isZero, emit::scalarLike(ctx, x, 1), share});
}

/// log2(2^a + 2^b).
OnnxValue logAddExp2(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue scale = emit::scalarLike(ctx, a, std::numbers::ln2);
    const OnnxValue sum = elementary::logAddExp(ctx, ctx.emit("Mul", {a, scale}), ctx.emit("Mul", {b, scale}));
    return ctx.emit("Div", {sum, scale});
}

/// The other operand where one is NaN.
template <arithmetic::Binary operation>
OnnxValues withoutNan(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    const OnnxValue y = operation(ctx, pair.a, pair.b);
    if (!isFloating(ctx.element(pair.a))) {
        return {y};
    }
    const OnnxValue orA = ctx.emit("Where", {ctx.emit("IsNaN", {pair.b}), pair.a, y});
    return {ctx.emit("Where", {ctx.emit("IsNaN", {pair.a}), pair.b, orA})};
}

/// The remainder with the sign of the dividend.
OnnxValues remainder(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    return {arithmetic::truncatedRemainder(ctx, pair.a, pair.b)};
}

/// 0 below 0, 1 above, the second operand at 0.
OnnxValues heaviside(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = floatingOperandsOf(layer);
    const auto number = [&](double value) { return emit::scalarLike(ctx, pair.a, value); };
    const OnnxValue isZero = ctx.emit("Equal", {pair.a, number(0)});
    const OnnxValue step = ctx.emit("Where", {ctx.emit("Less", {pair.a, number(0)}), number(0), number(1)});
    const OnnxValue y = ctx.emit("Where", {isZero, pair.b, step});
    return {ctx.emit("Where", {ctx.emit("IsNaN", {pair.a}), pair.a, y})};
}

/// |a - b| <= atol + rtol |b|; infinities only if equal.
OnnxValue areClose(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const Operands pair = floatingOperandsOf(layer);
    const double relative = arguments.number({"rtol", "2"}, 1e-5);
    const double absolute = arguments.number({"atol", "3"}, 1e-8);
    const auto number = [&](double value) { return emit::scalarLike(ctx, pair.a, value); };
    const OnnxValue distance = ctx.emit("Abs", {ctx.emit("Sub", {pair.a, pair.b})});
    const OnnxValue size = ctx.emit("Abs", {pair.b});
    const OnnxValue bound = ctx.emit("Add", {ctx.emit("Mul", {size, number(relative)}), number(absolute)});
    const OnnxValue infinity = number(std::numeric_limits<double>::infinity());
    const OnnxValue isFinite = ctx.emit("Less", {size, infinity});
    OnnxValue isClose = ctx.emit("And", {ctx.emit("Not", {ctx.emit("Greater", {distance, bound})}), isFinite});
    isClose = ctx.emit("And", {isClose, ctx.emit("Not", {ctx.emit("IsNaN", {distance})})});
    isClose = ctx.emit("Or", {isClose, arithmetic::equal(ctx, pair.a, pair.b)});
    if (arguments.boolean({"equal_nan", "4"}, false)) {
        const OnnxValue areBoth = ctx.emit("And", {ctx.emit("IsNaN", {pair.a}), ctx.emit("IsNaN", {pair.b})});
        isClose = ctx.emit("Or", {isClose, areBoth});
    }
    return isClose;
}

OnnxValues isClose(const Layer& layer)
{
    return {areClose(layer)};
}

OnnxValues allClose(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue numbers = emit::cast(ctx, areClose(layer), ElementType::Float32);
    return {emit::cast(ctx, emit::reduce(ctx, "ReduceMin", numbers, {}, false), ElementType::Bool)};
}

template <bool isNegative>
OnnxValues isInfinity(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    const double infinity = std::numeric_limits<double>::infinity();
    return {ctx.emit("Equal", {x, emit::scalarLike(ctx, x, isNegative ? -infinity : infinity)})};
}

/// Whether the sign is negative, of -0 too.
OnnxValues signBit(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    if (isFloating(ctx.element(x))) {
        return {arithmetic::hasSign(ctx, x)};
    }
    if (ctx.element(x) == ElementType::Bool) {
        return {filledLike(ctx, x, ElementType::Bool, 0)};
    }
    return {arithmetic::less(ctx, x, emit::scalarLike(ctx, x, 0))};
}

OnnxValues nanToNum(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    if (!isFloating(ctx.element(x))) {
        return {x};
    }
    if (ctx.element(x) != ElementType::Float32 && ctx.element(x) != ElementType::Float64 &&
        !(arguments.has({"posinf"}) && arguments.has({"neginf"}))) {
        layer.refuse("infinities of this type replaced by its largest number", "posinf");
    }
    const double largest = ctx.element(x) == ElementType::Float64
                               ? std::numeric_limits<double>::max()
                               : static_cast<double>(std::numeric_limits<float>::max());
    const auto number = [&](Arguments::Names names, double otherwise) {
        return emit::scalarLike(ctx, x, arguments.number(names, otherwise));
    };
    const double infinity = std::numeric_limits<double>::infinity();
    const OnnxValue isAbove = ctx.emit("Equal", {x, emit::scalarLike(ctx, x, infinity)});
    const OnnxValue isBelow = ctx.emit("Equal", {x, emit::scalarLike(ctx, x, -infinity)});
    OnnxValue y = ctx.emit("Where", {ctx.emit("IsNaN", {x}), number({"nan"}, 0), x});
    y = ctx.emit("Where", {isAbove, number({"posinf"}, largest), y});
    return {ctx.emit("Where", {isBelow, number({"neginf"}, -largest), y})};
}

/// a 2^b.
OnnxValues scaledByPowerOfTwo(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue a = arguments.tensor({"0", "x1"});
    a = isFloating(ctx.element(a)) ? a : emit::cast(ctx, a, ElementType::Float32);
    const OnnxValue b = emit::cast(ctx, arguments.tensor({"1", "x2"}, ElementType::Int32), ctx.element(a));
    return {ctx.emit("Mul", {a, powerOfTwo(ctx, b)})};
}

OnnxValues sameNumber(const Layer& layer)
{
    return {operand(layer)};
}

OnnxValues convertToTensor(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {emit::cast(layer.ctx, x, Arguments(layer).type({"dtype"}).value_or(layer.ctx.element(x)))};
}

/// Real numbers only: complex ones are pairs of tensors in Keras.
OnnxValues allTrue(const Layer& layer)
{
    return {filledLike(layer.ctx, operand(layer), ElementType::Bool, 1)};
}

OnnxValues zeros(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {filledLike(layer.ctx, x, layer.ctx.element(x), 0)};
}

/// The angle of a real number: pi of a negative one.
OnnxValues angleOfReal(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    const OnnxValue isNegative = ctx.emit("Less", {x, emit::scalarLike(ctx, x, 0)});
    const OnnxValue y =
        ctx.emit("Where", {isNegative, emit::scalarLike(ctx, x, std::numbers::pi), emit::scalarLike(ctx, x, 0)});
    return {ctx.emit("Where", {ctx.emit("IsNaN", {x}), x, y})};
}

/// A tensor of one value in the shape and type of another.
OnnxValues fullLike(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    const ElementType type = arguments.type({"dtype"}).value_or(ctx.element(x));
    const ElementType exact = isInteger(type) ? type : ElementType::Float64;
    const OnnxValue value = emit::cast(ctx, arguments.tensor({"1", "fill_value"}, exact), type);
    return {emit::expand(ctx, value, emit::shapeVector(ctx, x))};
}

/// Clipped to the range of an integer type before the cast.
OnnxValues saturatingCast(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const std::string name = Arguments(layer).text({"dtype", "1"}, "");
    const auto type = elementTypeFromName(name);
    if (!type || *type == ElementType::Int64 || *type == ElementType::UInt64 || *type == ElementType::UInt32) {
        layer.refuse(fmt::format("a saturating cast to {}", name), "dtype");
    }
    double low = 0;
    double high = 0;
    switch (*type) {
    case ElementType::Int8:
        low = -128;
        high = 127;
        break;
    case ElementType::UInt8:
        high = 255;
        break;
    case ElementType::Int16:
        low = -32768;
        high = 32767;
        break;
    case ElementType::UInt16:
        high = 65535;
        break;
    case ElementType::Int32: // the bounds are the nearest numbers of float32 within the type
        low = -2147483648.0;
        high = ctx.element(x) == ElementType::Float32 ? 2147483520.0 : 2147483647.0;
        break;
    default:
        return {emit::cast(ctx, x, *type)};
    }
    if (ctx.element(x) == ElementType::Bool || isFloating(*type)) {
        return {emit::cast(ctx, x, *type)};
    }
    const OnnxValue wide = isFloating(ctx.element(x)) ? x : emit::cast(ctx, x, ElementType::Int64);
    return {emit::cast(ctx, emit::clip(ctx, wide, low, high), *type)};
}

/// The value of the first condition that is true.
OnnxValues select(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValues conditions = arguments.tensors({"0", "condlist"});
    OnnxValues choices = arguments.tensors({"1", "choicelist"});
    if (conditions.size() != choices.size() || conditions.empty()) {
        ctx.invalid(fmt::format("{} conditions for {} choices", conditions.size(), choices.size()), "condlist");
    }
    choices = inCommonType(layer, choices);
    const ElementType type = ctx.element(choices.front());
    OnnxValue y = arguments.has({"2", "default"}) ? emit::cast(ctx, arguments.tensor({"2", "default"}, type), type)
                                                  : emit::scalarLike(ctx, choices.front(), 0);
    for (std::size_t i = conditions.size(); i-- > 0;) {
        y = choose(ctx, emit::cast(ctx, conditions[i], ElementType::Bool), choices[i], y);
    }
    return {y};
}

// Bits.

void requireIntegers(const Layer& layer, OnnxValue x)
{
    if (isFloating(layer.ctx.element(x))) {
        layer.ctx.invalid(fmt::format("{} of {}", layer.op(), elementTypeName(layer.ctx.element(x))));
    }
}

template <arithmetic::Binary operation>
OnnxValues ofIntegers(const Layer& layer)
{
    const Operands pair = operandsOf(layer);
    requireIntegers(layer, pair.a);
    return {operation(layer.ctx, pair.a, pair.b)};
}

OnnxValues bitwiseNot(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    requireIntegers(layer, x);
    return {arithmetic::bitwiseNot(layer.ctx, x)};
}

/// a 2^b as integers, for b from 0 to 31.
OnnxValue powerOfTwoFor(const NodeContext& ctx, OnnxValue shift)
{
    const OnnxValue bounded = emit::clip(ctx, emit::cast(ctx, shift, ElementType::Int64), 0, 62);
    const auto isSet = [&](std::int64_t bit) {
        const OnnxValue half =
            ctx.emit("Div", {bounded, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(bit))});
        return ctx.emit("Mod", {half, ctx.onnx.scalar(ElementType::Int64, 2)});
    };
    OnnxValue power;
    for (std::int64_t bit = 1; bit <= 32; bit *= 2) { // the product of 2^bit for the bits of the exponent
        const double more = std::pow(2.0, static_cast<double>(bit)) - 1;
        const OnnxValue factor =
            ctx.emit("Add", {ctx.emit("Mul", {isSet(bit), ctx.onnx.scalar(ElementType::Int64, more)}),
                             ctx.onnx.scalar(ElementType::Int64, 1)});
        power = power ? ctx.emit("Mul", {power, factor}) : factor;
    }
    return power;
}

template <bool isLeft>
OnnxValues shifted(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    requireIntegers(layer, pair.a);
    const ElementType type = ctx.element(pair.a);
    if (type == ElementType::Int64 || type == ElementType::UInt64) {
        layer.refuse(fmt::format("a shift of {}", elementTypeName(type)));
    }
    const OnnxValue a = emit::cast(ctx, pair.a, ElementType::Int64);
    const OnnxValue power = powerOfTwoFor(ctx, pair.b);
    if (isLeft) {
        return {emit::cast(ctx, ctx.emit("Mul", {a, power}), type)};
    }
    const OnnxValue rest = arithmetic::modulo(ctx, a, power); // rounds down, as the shift of a negative number
    return {emit::cast(ctx, ctx.emit("Div", {ctx.emit("Sub", {a, rest}), power}), type)};
}

} // namespace

std::span<const OpRow> numberOperations()
{
    namespace el = elementary;
    static constexpr OpRow rows[] = {
        {"ops.AllClose", allClose, "Abs, Less"},
        {"ops.Angle", angleOfReal, "Where"},
        {"ops.BitwiseAnd", ofIntegers<arithmetic::bitwiseAnd>, "BitwiseAnd"},
        {"ops.BitwiseInvert", bitwiseNot, "BitwiseNot"},
        {"ops.BitwiseLeftShift", shifted<true>, "Mul"},
        {"ops.BitwiseNot", bitwiseNot, "BitwiseNot"},
        {"ops.BitwiseOr", ofIntegers<arithmetic::bitwiseOr>, "BitwiseOr"},
        {"ops.BitwiseRightShift", shifted<false>, "Div"},
        {"ops.BitwiseXor", ofIntegers<arithmetic::bitwiseXor>, "BitwiseXor"},
        {"ops.Cbrt", ofNumbers<el::cbrt>, "Pow"},
        {"ops.Conj", sameNumber, ""},
        {"ops.Conjugate", sameNumber, ""},
        {"ops.ConvertToTensor", convertToTensor, "Cast"},
        {"ops.Copy", sameNumber, ""},
        {"ops.Deg2rad", ofNumbers<el::radians>, "Mul"},
        {"ops.EmptyLike", zeros, "Expand"},
        {"ops.Erfc", ofNumbers<complementOfError>, "Erf, Sub"},
        {"ops.Erfinv", ofNumbers<forms::special::inverseError>, "Log, Sqrt"},
        {"ops.Exp2", ofNumbers<powerOfTwo>, "Pow"},
        {"ops.Fabs", ofNumbers<magnitude>, "Abs"},
        {"ops.Fmax", withoutNan<arithmetic::maximum>, "Max, Where"},
        {"ops.Fmin", withoutNan<arithmetic::minimum>, "Min, Where"},
        {"ops.Fmod", remainder, "Mod"},
        {"ops.FullLike", fullLike, "Expand"},
        {"ops.Gcd", ofIntegers<arithmetic::greatestCommonDivisor>, "Loop"},
        {"ops.Heaviside", heaviside, "Where"},
        {"ops.Hypot", ofFloats<arithmetic::hypotenuse>, "Sqrt"},
        {"ops.Imag", zeros, "Expand"},
        {"ops.Isclose", isClose, "Abs, Less"},
        {"ops.Isneginf", isInfinity<true>, "Equal"},
        {"ops.Isposinf", isInfinity<false>, "Equal"},
        {"ops.Isreal", allTrue, "Expand"},
        {"ops.Lcm", ofIntegers<arithmetic::leastCommonMultiple>, "Loop"},
        {"ops.Ldexp", scaledByPowerOfTwo, "Pow, Mul"},
        {"ops.LeftShift", shifted<true>, "Mul"},
        {"ops.Logaddexp", ofFloats<el::logAddExp>, "Exp, Log"},
        {"ops.Logaddexp2", ofFloats<logAddExp2>, "Exp, Log"},
        {"ops.NanToNum", nanToNum, "Where"},
        {"ops.Rad2deg", ofNumbers<el::degrees>, "Mul"},
        {"ops.Real", sameNumber, ""},
        {"ops.RightShift", shifted<false>, "Div"},
        {"ops.SaturateCast", saturatingCast, "Clip, Cast"},
        {"ops.Select", select, "Where"},
        {"ops.Signbit", signBit, "Less"},
        {"ops.Sinc", ofNumbers<sinc>, "Sin, Div"},
        {"tf.bitwise.bitwise_and", ofIntegers<arithmetic::bitwiseAnd>, "BitwiseAnd"},
        {"tf.bitwise.bitwise_or", ofIntegers<arithmetic::bitwiseOr>, "BitwiseOr"},
        {"tf.bitwise.bitwise_xor", ofIntegers<arithmetic::bitwiseXor>, "BitwiseXor"},
        {"tf.math.erfc", ofNumbers<complementOfError>, "Erf, Sub"},
        {"tf.math.erfinv", ofNumbers<forms::special::inverseError>, "Log, Sqrt"},
    };
    return rows;
}

} // namespace crosswalk::keras
