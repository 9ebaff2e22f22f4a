// Special functions, and functions that depend on the sign or on the absence of a number.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
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

/// The derivative of logGamma: by the recurrence up to 6, then the asymptotic series; below 1/2 reflected.
OnnxValue digamma(const NodeContext& ctx, OnnxValue given)
{
    const OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const auto with = [&](const char* op, OnnxValue a, double b) {
        return ctx.emit(op, {a, emit::scalarLike(ctx, a, b)});
    };
    const OnnxValue isBelow = with("Less", x, 0.5);
    const OnnxValue positive = ctx.emit("Where", {isBelow, ctx.emit("Sub", {emit::scalarLike(ctx, x, 1), x}), x});
    OnnxValue sum = emit::scalarLike(ctx, x, 0);
    OnnxValue y = positive;
    for (int i = 0; i < 8; ++i) {
        sum = ctx.emit("Add", {sum, ctx.emit("Reciprocal", {y})});
        y = with("Add", y, 1);
    }
    const OnnxValue square = ctx.emit("Reciprocal", {ctx.emit("Mul", {y, y})});
    OnnxValue series = emit::scalarLike(ctx, x, 1.0 / 12); // Bernoulli numbers over twice their index
    for (const double term : {-691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12}) {
        series = with("Add", ctx.emit("Mul", {series, square}), term);
    }
    const OnnxValue logarithm =
        ctx.emit("Sub", {elementary::log(ctx, y), with("Mul", ctx.emit("Reciprocal", {y}), 0.5)});
    const OnnxValue above = ctx.emit("Sub", {ctx.emit("Sub", {logarithm, ctx.emit("Mul", {series, square})}), sum});
    // pi / tan(pi x), by the distance to the nearest integer, where there is a pole.
    const OnnxValue rest = ctx.emit("Sub", {x, ctx.emit("Round", {x})});
    const OnnxValue cotangent = ctx.emit(
        "Div", {emit::scalarLike(ctx, x, std::numbers::pi), elementary::tan(ctx, with("Mul", rest, std::numbers::pi))});
    const OnnxValue isPole =
        ctx.emit("And", {ctx.emit("Equal", {rest, emit::scalarLike(ctx, x, 0)}), with("Less", x, 0)});
    const OnnxValue below =
        ctx.emit("Where", {isPole, emit::scalarLike(ctx, x, std::numeric_limits<double>::quiet_NaN()),
                           ctx.emit("Sub", {above, cotangent})});
    return emit::cast(ctx, ctx.emit("Where", {isBelow, below, above}), ctx.element(given));
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

/// -x log(x), 0 at 0 and -infinity below.
OnnxValue entropy(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    const OnnxValue product = ctx.emit("Neg", {arithmetic::multiply(ctx, x, elementary::log(ctx, x))});
    const OnnxValue inner = ctx.emit("Where", {ctx.emit("Equal", {x, zero}), zero, product});
    return ctx.emit("Where", {ctx.emit("Less", {x, zero}),
                              emit::scalarLike(ctx, x, -std::numeric_limits<double>::infinity()), inner});
}

/// The logarithm of the gamma function of several variables: p (p - 1) / 4 log(pi) plus those of x, x - 1/2, ...
OnnxValues multivariateLogGamma(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const std::int64_t p = arguments.positive("p", 1);
    if (p > mostParts) {
        ctx.refuse("so many variables are not supported", "p");
    }
    const OnnxValue x = emit::cast(ctx, given, floatingType(ctx.element(given)));
    std::vector<double> shifts;
    for (std::int64_t i = 0; i < p; ++i) {
        shifts.push_back(-0.5 * static_cast<double>(i));
    }
    const auto last = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue wide = emit::cast(ctx, emit::unsqueeze(ctx, x, {last}), ElementType::Float64);
    const OnnxValue shifted =
        ctx.emit("Add", {wide, ctx.onnx.constant(Tensor::of<double>(ElementType::Float64, {p}, shifts))});
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", forms::special::logGamma(ctx, shifted), {last}, false);
    const double offset = 0.25 * static_cast<double>(p) * static_cast<double>(p - 1) * std::log(std::numbers::pi);
    return {emit::cast(ctx, ctx.emit("Add", {sum, ctx.onnx.scalar(ElementType::Float64, offset)}), ctx.element(x))};
}

template <int order, bool isScaled>
OnnxValue bessel(const NodeContext& ctx, OnnxValue x)
{
    return forms::special::bessel(ctx, x, order, isScaled);
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
        {"aten::lgamma", floating<forms::special::logGamma>, "Log, ReduceSum"},
        {"aten::special_gammaln", floating<forms::special::logGamma>, "Log, ReduceSum"},
        {"aten::digamma", floating<digamma>, "Log, Reciprocal, Tan"},
        {"aten::special_digamma", floating<digamma>, "Log, Reciprocal, Tan"},
        {"aten::special_psi", floating<digamma>, "Log, Reciprocal, Tan"},
        {"aten::mvlgamma", multivariateLogGamma, "Log, ReduceSum"},
        {"aten::special_multigammaln", multivariateLogGamma, "Log, ReduceSum"},
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
        {"aten::special_ndtr", floating<normalDistribution>, "Erf, Add, Mul"},
        {"aten::special_entr", floating<entropy>, "Log, Mul, Where"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
