// Functions of one tensor, element by element.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/formats/pytorch/ops/floating_functions.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cmath>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;
using Unary = OnnxValue (*)(const NodeContext& ctx, OnnxValue x);

/// Integers stay as they are.
template <Unary function>
OnnxValues rounding(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    return {isFloating(ctx.element(x)) ? function(ctx, x) : x};
}

template <const char* op>
OnnxValue plain(const NodeContext& ctx, OnnxValue x)
{
    return forms::computedAs(ctx, forms::widened(ctx.element(x)), x,
                             [&](OnnxValue wide) { return ctx.emit(op, {wide}); });
}

constexpr char absName[] = "Abs";
constexpr char negName[] = "Neg";
constexpr char roundName[] = "Round";

template <Unary function>
OnnxValues same(NodeContext& ctx)
{
    return {function(ctx, Arguments(ctx).tensor("self"))};
}

OnnxValues round(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (!isFloating(ctx.element(x))) {
        return {x};
    }
    const std::int64_t decimals = arguments.integer("decimals", 0);
    if (decimals == 0) {
        return {plain<roundName>(ctx, x)};
    }
    const OnnxValue unit = emit::scalarLike(ctx, x, std::pow(10.0, std::abs(static_cast<double>(decimals))));
    const auto scale = decimals > 0 ? arithmetic::multiply : arithmetic::divide;
    const auto back = decimals > 0 ? arithmetic::divide : arithmetic::multiply;
    return {back(ctx, plain<roundName>(ctx, scale(ctx, x, unit)), unit)};
}

OnnxValue exp2(const NodeContext& ctx, OnnxValue x)
{
    return arithmetic::power(ctx, emit::scalarLike(ctx, x, 2), x);
}

OnnxValue erfc(const NodeContext& ctx, OnnxValue x)
{
    return arithmetic::subtract(ctx, emit::scalarLike(ctx, x, 1), elementary::erf(ctx, x));
}

OnnxValue fraction(const NodeContext& ctx, OnnxValue x)
{
    return arithmetic::subtract(ctx, x, elementary::truncate(ctx, x));
}

/// sin(pi x) / (pi x), and 1 at 0
OnnxValue sinc(const NodeContext& ctx, OnnxValue x)
{
    constexpr double pi = 3.14159265358979323846;
    const OnnxValue angle = arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, pi));
    const OnnxValue isZero = ctx.emit("Equal", {x, emit::scalarLike(ctx, x, 0)});
    const OnnxValue divisor = ctx.emit("Where", {isZero, emit::scalarLike(ctx, x, 1), angle});
    const OnnxValue ratio = arithmetic::divide(ctx, elementary::sin(ctx, angle), divisor);
    return ctx.emit("Where", {isZero, emit::scalarLike(ctx, x, 1), ratio});
}

/// log(x / (1 - x)) of x within [eps, 1 - eps]
OnnxValues logit(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    x = emit::cast(ctx, x, floatingType(ctx.element(x)));
    if (arguments.has("eps")) {
        const double eps = arguments.number("eps", 0);
        if (eps > 0.5) { // the lower limit first, which is the higher one
            const OnnxValue low = emit::scalarLike(ctx, x, eps);
            const OnnxValue high = emit::scalarLike(ctx, x, 1 - eps);
            const OnnxValue limited = ctx.emit("Where", {ctx.emit("Greater", {x, high}), high, x});
            x = ctx.emit("Where", {ctx.emit("Less", {x, low}), low, limited});
        } else {
            x = emit::clip(ctx, x, eps, 1 - eps);
        }
    }
    const OnnxValue rest = arithmetic::subtract(ctx, emit::scalarLike(ctx, x, 1), x);
    return {elementary::log(ctx, arithmetic::divide(ctx, x, rest))};
}

OnnxValues nanToNumber(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        return {x};
    }
    constexpr double mostBfloat16 = 0x1.FEp127;
    const double most = type == ElementType::Float64    ? std::numeric_limits<double>::max()
                        : type == ElementType::Float16  ? 65504
                        : type == ElementType::BFloat16 ? mostBfloat16
                                                        : std::numeric_limits<float>::max();
    const OnnxValue single = type == ElementType::Float64 ? x : emit::cast(ctx, x, ElementType::Float32);
    const OnnxValue given = type == ElementType::BFloat16 ? single : x; // ONNX Runtime has no Where of bfloat16
    const auto replaced = [&](OnnxValue value, OnnxValue where, std::string_view name, double fallback) {
        return ctx.emit("Where", {where, emit::scalarLike(ctx, given, arguments.number(name, fallback)), value});
    };
    OnnxValue y = replaced(given, ctx.emit("IsNaN", {single}), "nan", 0);
    y = replaced(y, ctx.emit("IsInf", {single}, {{"detect_negative", 0}}), "posinf", most);
    y = replaced(y, ctx.emit("IsInf", {single}, {{"detect_positive", 0}}), "neginf", -most);
    return {emit::cast(ctx, y, type)};
}

} // namespace

std::span<const OpRow> unaryOps()
{
    static constexpr OpRow rows[] = {
        {"aten::abs", same<plain<absName>>, "Abs"},
        {"aten::neg", same<plain<negName>>, "Neg"},
        {"aten::sign", same<arithmetic::signOrZero>, "Sign, IsNaN, Where"},
        {"aten::sgn", same<arithmetic::signOrZero>, "Sign, IsNaN, Where"},
        {"aten::round", round, "Round"},
        {"aten::floor", rounding<elementary::floor>, "Floor"},
        {"aten::ceil", rounding<elementary::ceil>, "Ceil"},
        {"aten::trunc", rounding<elementary::truncate>, "Floor, Ceil"},
        {"aten::fix", rounding<elementary::truncate>, "Floor, Ceil"},
        {"aten::frac", same<fraction>, "Sub"},
        {"aten::exp", floating<elementary::exp>, "Exp"},
        {"aten::exp2", floating<exp2>, "Pow"},
        {"aten::expm1", floating<elementary::expMinusOne>, "Exp, Sub"},
        {"aten::log", floating<elementary::log>, "Log"},
        {"aten::log2", floating<elementary::log2>, "Log"},
        {"aten::log10", floating<elementary::log10>, "Log"},
        {"aten::log1p", floating<elementary::logOnePlus>, "Log"},
        {"aten::sqrt", floating<elementary::sqrt>, "Sqrt"},
        {"aten::rsqrt", floating<elementary::reciprocalSqrt>, "Sqrt, Reciprocal"},
        {"aten::reciprocal", floating<elementary::reciprocal>, "Reciprocal"},
        {"aten::sin", floating<elementary::sin>, "Sin"},
        {"aten::cos", floating<elementary::cos>, "Cos"},
        {"aten::tan", floating<elementary::tan>, "Tan"},
        {"aten::asin", floating<elementary::arcsin>, "Asin"},
        {"aten::acos", floating<elementary::arccos>, "Acos"},
        {"aten::atan", floating<elementary::arctan>, "Atan"},
        {"aten::sinh", floating<elementary::sinh>, "Sinh"},
        {"aten::cosh", floating<elementary::cosh>, "Cosh"},
        {"aten::tanh", floating<elementary::tanh>, "Tanh"},
        {"aten::asinh", floating<elementary::arcsinh>, "Asinh"},
        {"aten::acosh", floating<elementary::arccosh>, "Acosh"},
        {"aten::atanh", floating<elementary::arctanh>, "Atanh"},
        {"aten::deg2rad", floating<elementary::radians>, "Mul"},
        {"aten::rad2deg", floating<elementary::degrees>, "Mul"},
        {"aten::erf", floating<elementary::erf>, "Erf"},
        {"aten::erfc", floating<erfc>, "Erf, Sub"},
        {"aten::sigmoid", floating<elementary::sigmoid>, "Sigmoid"},
        {"aten::special_expit", floating<elementary::sigmoid>, "Sigmoid"},
        {"aten::sinc", floating<sinc>, "Sin, Div, Where"},
        {"aten::logit", logit, "Log, Div"},
        {"aten::absolute", same<plain<absName>>, "Abs"},
        {"aten::negative", same<plain<negName>>, "Neg"},
        {"aten::arcsin", floating<elementary::arcsin>, "Asin"},
        {"aten::arccos", floating<elementary::arccos>, "Acos"},
        {"aten::arctan", floating<elementary::arctan>, "Atan"},
        {"aten::arcsinh", floating<elementary::arcsinh>, "Asinh"},
        {"aten::arccosh", floating<elementary::arccosh>, "Acosh"},
        {"aten::arctanh", floating<elementary::arctanh>, "Atanh"},
        {"aten::special_expm1", floating<elementary::expMinusOne>, "Exp, Sub"},
        {"aten::special_exp2", floating<exp2>, "Pow"},
        {"aten::special_log1p", floating<elementary::logOnePlus>, "Log"},
        {"aten::special_erf", floating<elementary::erf>, "Erf"},
        {"aten::special_erfc", floating<erfc>, "Erf, Sub"},
        {"aten::special_sinc", floating<sinc>, "Sin, Div, Where"},
        {"aten::special_logit", logit, "Log, Div"},
        {"aten::special_round", round, "Round"},
        {"aten::nan_to_num", nanToNumber, "IsNaN, IsInf, Where"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
