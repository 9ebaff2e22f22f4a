// Probability densities of samples (_random_pdf_*). The parameters have the leading dimensions of the samples, so one
// set applies to all samples of the trailing dimensions. Like MXNet, no density checks whether a sample is in its
// support.

#include "core/convert/forms/elementwise/doubles.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

struct Operands {
    OnnxValue x;
    OnnxValues parameters;
};

/// Appends dimensions of size 1 to a parameter, so that it broadcasts with `rank` dimensions.
OnnxValue spreadOver(const NodeContext& ctx, OnnxValue parameter, std::size_t rank)
{
    const std::size_t own = ctx.rank(parameter);
    if (own > rank) {
        ctx.invalid(fmt::format("a parameter of {} dimensions for samples of {}", own, rank));
    }
    Ints axes(rank - own);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(own));
    return axes.empty() ? parameter : emit::unsqueeze(ctx, parameter, axes);
}

Operands operandsOf(const NodeContext& ctx)
{
    const auto wide = [&](std::size_t i) { return emit::cast(ctx, ctx.input(i), ElementType::Float64); };
    Operands operands{wide(0), {}};
    for (std::size_t i = 1; i < ctx.inputCount(); ++i) {
        operands.parameters.push_back(spreadOver(ctx, wide(i), ctx.rank(operands.x)));
    }
    return operands;
}

using LogDensity = OnnxValue (*)(const NodeContext& ctx, const Doubles& d, OnnxValue x, const OnnxValues& parameters);

OnnxValue uniformLogDensity(const NodeContext& ctx, const Doubles& d, OnnxValue x, const OnnxValues& bounds)
{
    const OnnxValue width = d.sub(bounds.at(1), bounds.at(0));
    return emit::expand(ctx, d.apply("Neg", d.apply("Log", width)), emit::shapeVector(ctx, x));
}

OnnxValue normalLogDensity(const NodeContext& /*ctx*/, const Doubles& d, OnnxValue x,
                           const OnnxValues& meanAndDeviation)
{
    const OnnxValue deviation = meanAndDeviation.at(1);
    const OnnxValue away = d.div(d.sub(x, meanAndDeviation.at(0)), deviation);
    return d.sub(d.mul(d.mul(away, away), -0.5),
                 d.add(d.apply("Log", deviation), 0.5 * std::log(2 * std::numbers::pi)));
}

/// b^a x^(a-1) e^(-b x) / gamma(a). b is a rate here, where _random_gamma's beta is a scale.
OnnxValue gammaLogDensity(const NodeContext& ctx, const Doubles& d, OnnxValue x, const OnnxValues& shapeAndRate)
{
    const OnnxValue a = shapeAndRate.at(0);
    const OnnxValue b = shapeAndRate.at(1);
    const OnnxValue powers = d.add(d.mul(a, d.apply("Log", b)), d.mul(d.add(a, -1), d.apply("Log", x)));
    return d.sub(d.sub(powers, d.mul(b, x)), special::logGamma(ctx, a));
}

OnnxValue exponentialLogDensity(const NodeContext& /*ctx*/, const Doubles& d, OnnxValue x, const OnnxValues& rate)
{
    return d.sub(d.apply("Log", rate.at(0)), d.mul(rate.at(0), x));
}

OnnxValue logFactorial(const NodeContext& ctx, const Doubles& d, OnnxValue x)
{
    return special::logGamma(ctx, d.add(x, 1));
}

OnnxValue poissonLogDensity(const NodeContext& ctx, const Doubles& d, OnnxValue x, const OnnxValues& rate)
{
    return d.sub(d.sub(d.mul(x, d.apply("Log", rate.at(0))), logFactorial(ctx, d, x)), rate.at(0));
}

/// The probability of x outcomes of one kind before `limit` of the other kind, whose probability is p.
OnnxValue binomial(const NodeContext& ctx, const Doubles& d, OnnxValue x, OnnxValue limit, OnnxValue p)
{
    const OnnxValue ways =
        d.sub(d.sub(special::logGamma(ctx, d.add(x, limit)), logFactorial(ctx, d, x)), special::logGamma(ctx, limit));
    const OnnxValue other = d.sub(d.number(1), p);
    return d.add(d.add(ways, d.mul(limit, d.apply("Log", p))), d.mul(x, d.apply("Log", other)));
}

OnnxValue negativeBinomialLogDensity(const NodeContext& ctx, const Doubles& d, OnnxValue x, const OnnxValues& limitAndP)
{
    return binomial(ctx, d, x, limitAndP.at(0), limitAndP.at(1));
}

/// The same, given by mean and dispersion: limit = 1 / alpha, p = 1 / (mu alpha + 1).
OnnxValue generalizedNegativeBinomialLogDensity(const NodeContext& ctx, const Doubles& d, OnnxValue x,
                                                const OnnxValues& muAndAlpha)
{
    const OnnxValue alpha = muAndAlpha.at(1);
    const OnnxValue one = d.number(1);
    return binomial(ctx, d, x, d.div(one, alpha), d.div(one, d.add(d.mul(muAndAlpha.at(0), alpha), 1)));
}

template <LogDensity logDensity>
OnnxValues density(NodeContext& ctx)
{
    const Operands operands = operandsOf(ctx);
    const OnnxValue logarithm = logDensity(ctx, Doubles(ctx), operands.x, operands.parameters);
    const bool isLog = Attributes(ctx).boolean("is_log", false);
    return {emit::cast(ctx, isLog ? logarithm : ctx.emit("Exp", {logarithm}), ctx.element(ctx.input(0)))};
}

/// A sample is a vector along the last axis, its parameters too.
OnnxValues dirichlet(NodeContext& ctx)
{
    const Doubles d(ctx);
    const OnnxValue x = emit::cast(ctx, ctx.input(0), ElementType::Float64);
    const OnnxValue alpha = emit::cast(ctx, ctx.input(1), ElementType::Float64);
    const auto sum = [&](OnnxValue value) { return emit::reduce(ctx, "ReduceSum", value, {-1}, false); };
    const std::size_t rank = ctx.rank(x);
    const std::size_t own = ctx.rank(alpha);
    if (own == 0 || own > rank) {
        ctx.invalid(fmt::format("alpha of {} dimensions for samples of {}", own, rank));
    }
    Ints between(rank - own);
    std::iota(between.begin(), between.end(), static_cast<std::int64_t>(own) - 1);
    const OnnxValue met = between.empty() ? alpha : emit::unsqueeze(ctx, alpha, between);
    const OnnxValue powers = sum(d.mul(d.add(met, -1), d.apply("Log", x)));
    const OnnxValue normalizer = d.sub(special::logGamma(ctx, sum(met)), sum(special::logGamma(ctx, met)));
    const OnnxValue logarithm = d.add(powers, normalizer);
    const bool isLog = Attributes(ctx).boolean("is_log", false);
    return {emit::cast(ctx, isLog ? logarithm : ctx.emit("Exp", {logarithm}), ctx.element(ctx.input(0)))};
}

} // namespace

std::span<const OpRow> randomPdfOps()
{
    static constexpr OpRow rows[] = {
        {"_random_pdf_dirichlet", dirichlet, "Log, Mul, ReduceSum, Exp"},
        {"_random_pdf_exponential", density<exponentialLogDensity>, "Log, Mul, Sub, Exp"},
        {"_random_pdf_gamma", density<gammaLogDensity>, "Log, Mul, Sub, Exp"},
        {"_random_pdf_generalized_negative_binomial", density<generalizedNegativeBinomialLogDensity>,
         "Log, Mul, Sub, Exp"},
        {"_random_pdf_negative_binomial", density<negativeBinomialLogDensity>, "Log, Mul, Sub, Exp"},
        {"_random_pdf_normal", density<normalLogDensity>, "Log, Mul, Sub, Exp"},
        {"_random_pdf_poisson", density<poissonLogDensity>, "Log, Mul, Sub, Exp"},
        {"_random_pdf_uniform", density<uniformLogDensity>, "Log, Neg, Expand, Exp"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
