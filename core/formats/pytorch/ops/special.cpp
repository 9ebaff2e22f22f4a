// Special functions, and functions that depend on the sign or on the absence of a number.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/doubles.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/pytorch/ops/floating_functions.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;

using Unary = OnnxValue (*)(const NodeContext& ctx, OnnxValue x);
using Binary = OnnxValue (*)(const NodeContext& ctx, OnnxValue a, OnnxValue b);

template <Binary function, bool isFloatingAlways>
OnnxValues ofTwo(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType own = resultType(ctx, arguments, {"self", "other"});
    const ElementType type = isFloatingAlways ? floatingType(own) : own;
    const ElementType single = type == ElementType::Float16 ? ElementType::Float32 : type;
    return {emit::cast(ctx,
                       function(ctx, emit::cast(ctx, operand(ctx, arguments, "self", type), single),
                                emit::cast(ctx, operand(ctx, arguments, "other", type), single)),
                       type)};
}

OnnxValue nanMask(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("IsNaN", {emit::cast(ctx, x, forms::widened(ctx.element(x)))});
}

OnnxValue filledLike(const NodeContext& ctx, OnnxValue x, ElementType type, double value)
{
    return emit::expand(ctx, ctx.onnx.scalar(type, value), emit::shapeVector(ctx, x));
}

OnnxValues signBit(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    const ElementType type = ctx.element(x);
    if (type == ElementType::Bool || type == ElementType::UInt8) {
        return {filledLike(ctx, x, ElementType::Bool, 0)};
    }
    return {isFloating(type) ? arithmetic::hasSign(ctx, x) : arithmetic::less(ctx, x, emit::scalarLike(ctx, x, 0))};
}

OnnxValue withSign(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue magnitude = ctx.emit("Abs", {a});
    return ctx.emit("Where", {arithmetic::hasSign(ctx, b), ctx.emit("Neg", {magnitude}), magnitude});
}

/// The larger or the smaller number; one that is missing loses.
template <Binary extreme>
OnnxValue presentExtreme(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (!isFloating(ctx.element(a))) {
        return extreme(ctx, a, b);
    }
    const OnnxValue both = extreme(ctx, a, b);
    return ctx.emit("Where", {nanMask(ctx, a), b, ctx.emit("Where", {nanMask(ctx, b), a, both})});
}

/// a f(b), which is 0 where a is, unless b is missing.
template <Unary logarithm>
OnnxValue timesLog(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue product = arithmetic::multiply(ctx, a, logarithm(ctx, b));
    const OnnxValue isZero = ctx.emit("Equal", {a, emit::scalarLike(ctx, a, 0)});
    const OnnxValue isKnown = ctx.emit("Not", {nanMask(ctx, b)});
    return ctx.emit("Where", {ctx.emit("And", {isZero, isKnown}), emit::scalarLike(ctx, a, 0), product});
}

/// log2(2^a + 2^b)
OnnxValue logAddExp2(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const auto scaled = [&](OnnxValue x, double factor) {
        return arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, factor));
    };
    return scaled(elementary::logAddExp(ctx, scaled(a, std::numbers::ln2), scaled(b, std::numbers::ln2)),
                  1 / std::numbers::ln2);
}

/// 0, 1, or `values` where x is 0.
OnnxValues heaviside(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    const OnnxValue step = emit::cast(ctx, arithmetic::greater(ctx, x, zero), ctx.element(x));
    return {forms::choose(ctx, arithmetic::equal(ctx, x, zero), arguments.tensor("values"), step)};
}

/// pi of a negative number, else 0.
OnnxValue angleOfReal(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue isNegative = ctx.emit("Less", {x, emit::scalarLike(ctx, x, 0)});
    const OnnxValue turned =
        ctx.emit("Where", {isNegative, emit::scalarLike(ctx, x, std::numbers::pi), emit::scalarLike(ctx, x, 0)});
    return ctx.emit("Where", {nanMask(ctx, x), x, turned});
}

/// The distribution function of the normal distribution: erfc(-x / sqrt(2)) / 2
OnnxValue normalDistribution(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue error =
        forms::special::error(ctx, arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, std::numbers::sqrt2 / 2)));
    return arithmetic::multiply(ctx, arithmetic::add(ctx, error, emit::scalarLike(ctx, x, 1)),
                                emit::scalarLike(ctx, x, 0.5));
}

/// The logarithm of the normal distribution's function.
OnnxValue logNormalDistribution(const NodeContext& ctx, OnnxValue given)
{
    const forms::Doubles d(ctx);
    const OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const OnnxValue place = d.mul(x, std::numbers::sqrt2 / 2);
    const OnnxValue scaled = forms::special::scaledComplement(ctx, d.apply("Neg", place));
    const OnnxValue below = d.sub(d.apply("Log", d.mul(scaled, 0.5)), d.mul(place, place));
    const OnnxValue share = d.mul(d.add(forms::special::error(ctx, place), -1), 0.5);
    const OnnxValue above = elementary::logOnePlus(ctx, share);
    return emit::cast(ctx, d.where(d.less(x, -1), below, above), ctx.element(given));
}

/// sin(x) / x, 1 at 0 and 0 at infinity.
OnnxValues sphericalBessel(NodeContext& ctx)
{
    const OnnxValue given = Arguments(ctx).tensor("x");
    const forms::Doubles d(ctx);
    const OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const OnnxValue isZero = d.equal(x, d.number(0));
    const OnnxValue isInfinite = d.equal(d.apply("Abs", x), d.number(std::numeric_limits<double>::infinity()));
    const OnnxValue safe = d.where(ctx.emit("Or", {isZero, isInfinite}), d.number(1), x);
    const OnnxValue share = d.where(isZero, d.number(1), d.div(elementary::sin(ctx, safe), safe));
    return {emit::cast(ctx, d.where(isInfinite, d.number(0), share), floatingType(ctx.element(given)))};
}

/// -x log(x), 0 at 0 and -infinity below.
OnnxValue entropy(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    const OnnxValue product = ctx.emit("Neg", {arithmetic::multiply(ctx, x, elementary::log(ctx, x))});
    const OnnxValue inner = ctx.emit("Where", {ctx.emit("Equal", {x, zero}), zero, product});
    return ctx.emit("Where", {ctx.emit("Less", {x, zero}),
                              emit::scalarLike(ctx, x, -std::numeric_limits<double>::infinity()), inner});
}

template <int order, bool isScaled>
OnnxValue bessel(const NodeContext& ctx, OnnxValue x)
{
    return forms::special::bessel(ctx, x, order, isScaled);
}

/// x = mantissa 2^exponent with a mantissa from 1/2 on below 1; itself and 0 where x is 0 or not finite.
OnnxValues mantissaAndExponent(NodeContext& ctx)
{
    const OnnxValue given = selfOf(ctx);
    const forms::Doubles d(ctx);
    const OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const OnnxValue magnitude = d.apply("Abs", x);
    const OnnxValue isPlain = ctx.emit("And", {ctx.emit("Greater", {magnitude, d.number(0)}),
                                               d.less(magnitude, std::numeric_limits<double>::infinity())});
    // Numbers below the normal ones lose digits in the logarithm: all small ones are multiplied first.
    constexpr int steps = 200;
    const OnnxValue isSmall = d.less(magnitude, std::ldexp(1.0, -900));
    const OnnxValue scaled = d.where(isSmall, d.mul(magnitude, std::ldexp(1.0, steps)), magnitude);
    const OnnxValue safe = d.where(isPlain, scaled, d.number(1));
    const auto timesPower = [&](OnnxValue a, OnnxValue exponent) {
        return d.mul(a, ctx.emit("Pow", {d.number(2), exponent}));
    };
    const OnnxValue guess = d.add(d.apply("Floor", d.mul(d.apply("Log", safe), 1 / std::numbers::ln2)), 1);
    const OnnxValue half = d.apply("Floor", d.mul(guess, 0.5)); // the power alone may overflow
    const OnnxValue near = timesPower(timesPower(safe, d.apply("Neg", half)), d.sub(half, guess));
    // The logarithm may have been rounded to the next integer.
    const OnnxValue isBelow = d.less(near, 0.5);
    const OnnxValue isAbove = ctx.emit("Not", {d.less(near, 1)});
    const OnnxValue mantissa = d.where(isBelow, d.mul(near, 2), d.where(isAbove, d.mul(near, 0.5), near));
    const OnnxValue correction = d.where(isBelow, d.number(-1), d.where(isAbove, d.number(1), d.number(0)));
    const OnnxValue shift = d.where(isSmall, d.number(-steps), d.number(0));
    const OnnxValue exponent = d.where(isPlain, d.add(d.add(guess, correction), shift), d.number(0));
    const OnnxValue turned = d.where(d.less(x, 0), d.apply("Neg", mantissa), mantissa);
    return {emit::cast(ctx, d.where(isPlain, turned, x), ctx.element(given)),
            emit::cast(ctx, exponent, ElementType::Int32)};
}

/// What changes complex numbers only.
OnnxValues unchangedIfReal(NodeContext& ctx)
{
    return {Arguments(ctx).tensor("self")};
}

} // namespace

std::span<const OpRow> specialOps()
{
    static constexpr OpRow rows[] = {
        {"aten::signbit", signBit, "Less, Reciprocal"},
        {"aten::copysign", ofTwo<withSign, true>, "Abs, Neg, Where"},
        {"aten::fmax", ofTwo<presentExtreme<arithmetic::maximum>, false>, "Max, IsNaN, Where"},
        {"aten::fmin", ofTwo<presentExtreme<arithmetic::minimum>, false>, "Min, IsNaN, Where"},
        {"aten::xlogy", ofTwo<timesLog<elementary::log>, true>, "Log, Mul, Where"},
        {"aten::special_xlogy", ofTwo<timesLog<elementary::log>, true>, "Log, Mul, Where"},
        {"aten::special_xlog1py", ofTwo<timesLog<elementary::logOnePlus>, true>, "Log, Mul, Where"},
        {"aten::logaddexp", ofTwo<elementary::logAddExp, true>, "Max, Exp, Log"},
        {"aten::logaddexp2", ofTwo<logAddExp2, true>, "Max, Exp, Log"},
        {"aten::heaviside", heaviside, "Greater, Where"},
        {"aten::hypot", ofTwo<arithmetic::hypotenuse, false>, "Mul, Sqrt"},
        {"aten::atan2", ofTwo<arithmetic::angle, true>, "Atan, Where"},
        {"aten::arctan2", ofTwo<arithmetic::angle, true>, "Atan, Where"},
        {"aten::angle", floating<angleOfReal>, "Less, Where"},
        {"aten::i0", floating<bessel<0, false>>, "Pow, MatMul, Exp"},
        {"aten::special_i0", floating<bessel<0, false>>, "Pow, MatMul, Exp"},
        {"aten::special_i0e", floating<bessel<0, true>>, "Pow, MatMul, Exp"},
        {"aten::special_i1", floating<bessel<1, false>>, "Pow, MatMul, Exp"},
        {"aten::special_i1e", floating<bessel<1, true>>, "Pow, MatMul, Exp"},
        {"aten::erfinv", floating<forms::special::inverseError>, "Log, Sqrt"},
        {"aten::special_erfinv", floating<forms::special::inverseError>, "Log, Sqrt"},
        {"aten::real", unchangedIfReal, ""},
        {"aten::conj", unchangedIfReal, ""},
        {"aten::_conj", unchangedIfReal, ""},
        {"aten::conj_physical", unchangedIfReal, ""},
        {"aten::resolve_conj", unchangedIfReal, ""},
        {"aten::resolve_neg", unchangedIfReal, ""},
        {"aten::positive", unchangedIfReal, ""},
        {"aten::special_modified_bessel_i0", floating<bessel<0, false>>, "Pow, MatMul, Exp"},
        {"aten::special_modified_bessel_i1", floating<bessel<1, false>>, "Pow, MatMul, Exp"},
        {"aten::special_spherical_bessel_j0", sphericalBessel, "Sin, Div"},
        {"aten::special_erfcx", floating<forms::special::scaledComplement>, "Exp, Pow, MatMul"},
        {"aten::special_log_ndtr", floating<logNormalDistribution>, "Exp, Pow, MatMul, Log"},
        {"aten::frexp", mantissaAndExponent, "Log, Floor, Pow"},
        {"aten::special_ndtr", floating<normalDistribution>, "Erf, Add, Mul"},
        {"aten::special_entr", floating<entropy>, "Log, Mul, Where"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
