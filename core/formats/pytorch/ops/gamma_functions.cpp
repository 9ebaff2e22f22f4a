// The gamma function's logarithm and its derivatives.

#include "core/convert/forms/elementwise/doubles.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/formats/pytorch/ops/floating_functions.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace crosswalk::pytorch {
namespace {

namespace elementary = forms::elementary;

/// The derivative of digamma: by the recurrence, then the asymptotic series; below 1/2 reflected. PyTorch's sine of
/// pi x is not 0 at an integer: it is computed in the same precision.
OnnxValue trigamma(const NodeContext& ctx, OnnxValue given)
{
    const ElementType own = ctx.element(given) == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
    const OnnxValue single = emit::cast(ctx, given, own);
    const forms::Doubles d(ctx);
    const OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const OnnxValue isBelow = d.less(x, 0.5);
    OnnxValue y = d.where(isBelow, d.sub(d.number(1), x), x);
    OnnxValue sum = d.number(0);
    for (int i = 0; i < 8; ++i) {
        sum = d.add(sum, d.apply("Reciprocal", d.mul(y, y)));
        y = d.add(y, 1);
    }
    const OnnxValue inverse = d.apply("Reciprocal", y);
    const OnnxValue square = d.mul(inverse, inverse);
    OnnxValue series = d.number(7.0 / 6); // Bernoulli numbers
    for (const double term : {-691.0 / 2730, 5.0 / 66, -1.0 / 30, 1.0 / 42, -1.0 / 30, 1.0 / 6}) {
        series = d.add(d.mul(series, square), term);
    }
    const OnnxValue tail = d.add(d.mul(square, 0.5), d.mul(inverse, d.add(d.mul(series, square), 1)));
    const OnnxValue above = d.add(sum, tail);
    const OnnxValue angle = ctx.emit("Mul", {single, ctx.onnx.scalar(own, std::numbers::pi)});
    const OnnxValue sine = elementary::sin(ctx, angle);
    const OnnxValue poles =
        ctx.emit("Div", {ctx.onnx.scalar(own, std::numbers::pi * std::numbers::pi), ctx.emit("Mul", {sine, sine})});
    const OnnxValue below = d.sub(emit::cast(ctx, poles, ElementType::Float64), above);
    return emit::cast(ctx, d.where(isBelow, below, above), ctx.element(given));
}

OnnxValues polygamma(NodeContext& ctx)
{
    const std::int64_t order = Arguments(ctx).integer("n", 0);
    constexpr std::int64_t highest = 30; // of the factorials that single precision holds
    if (order < 0 || order > highest) {
        ctx.refuse(fmt::format("derivative {} of digamma is not supported, only 0 to {} are", order, highest), "n");
    }
    if (order <= 1) {
        return order == 0 ? floating<forms::special::digamma>(ctx) : floating<trigamma>(ctx);
    }
    const OnnxValue given = selfOf(ctx);
    const OnnxValue x = emit::cast(ctx, given, floatingType(ctx.element(given)));
    return {forms::special::polygamma(ctx, x, static_cast<int>(order))};
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

} // namespace

std::span<const OpRow> gammaOps()
{
    static constexpr OpRow rows[] = {
        {"aten::lgamma", floating<forms::special::logGamma>, "Log, ReduceSum"},
        {"aten::special_gammaln", floating<forms::special::logGamma>, "Log, ReduceSum"},
        {"aten::digamma", floating<forms::special::digamma>, "Log, Reciprocal, Tan"},
        {"aten::special_digamma", floating<forms::special::digamma>, "Log, Reciprocal, Tan"},
        {"aten::special_psi", floating<forms::special::digamma>, "Log, Reciprocal, Tan"},
        {"aten::mvlgamma", multivariateLogGamma, "Log, ReduceSum"},
        {"aten::special_multigammaln", multivariateLogGamma, "Log, ReduceSum"},
        {"aten::polygamma", polygamma, "Pow, ReduceSum", Support::Exact, "orders up to 30"},
        {"aten::special_polygamma", polygamma, "Pow, ReduceSum", Support::Exact, "orders up to 30"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
