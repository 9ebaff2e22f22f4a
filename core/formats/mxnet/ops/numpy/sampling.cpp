// Random numbers of numpy's distributions, whose parameters are attributes or, if those are None, tensors.

#include "core/convert/forms/random/samplers.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include "core/convert/emit.h"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

OnnxValue number(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(ElementType::Float32, value);
}

/// Parameters as float32, and the shape of the sample: attribute size, else that of the parameters. Operators ending in
/// _n concatenate the two.
struct Draw {
    OnnxValues parameters;
    ShapeTerms shape;
};

ShapeTerms namedSize(const NodeContext& ctx)
{
    ShapeTerms terms;
    for (const auto dim : Attributes(ctx).ints("size")) {
        if (dim < 0) {
            ctx.invalid("size has a negative dimension", "size");
        }
        terms.push_back(fixedTerm(dim));
    }
    return terms;
}

Draw drawn(const NodeContext& ctx, std::initializer_list<std::string_view> names)
{
    const Attributes attributes(ctx);
    Draw draw;
    std::size_t input = 0;
    OnnxValue like;
    for (const std::string_view name : names) {
        const auto given = attributes.optionalNumber(name);
        const OnnxValue parameter =
            given ? number(ctx, *given) : emit::cast(ctx, ctx.input(input++), ElementType::Float32);
        if (!given) {
            like = like ? ctx.emit("Add", {like, parameter}) : parameter;
        }
        draw.parameters.push_back(parameter);
    }
    draw.shape = namedSize(ctx);
    const bool isPrefix = ctx.node.op.ends_with("_n");
    if (like && !isPrefix && attributes.has("size") && ctx.rank(like) > draw.shape.size()) {
        ctx.invalid(fmt::format("parameters of {} dimensions for a size of {}", ctx.rank(like), draw.shape.size()),
                    "size");
    }
    if (like && (isPrefix || !attributes.has("size"))) {
        const ShapeTerms own = termsOf(ctx, like);
        draw.shape.insert(draw.shape.end(), own.begin(), own.end());
    }
    return draw;
}

OnnxValues typed(const NodeContext& ctx, OnnxValue x, ElementType fallback = ElementType::Float32)
{
    return {emit::cast(ctx, x, Attributes(ctx).elementType("dtype", fallback))};
}

OnnxValue scaledAndMoved(const NodeContext& ctx, OnnxValue x, OnnxValue scale, OnnxValue location)
{
    return ctx.emit("Add", {ctx.emit("Mul", {x, scale}), location});
}

OnnxValues uniform(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"low", "high"});
    const OnnxValue range = ctx.emit("Sub", {draw.parameters[1], draw.parameters[0]});
    return typed(ctx, scaledAndMoved(ctx, random::uniform(ctx, draw.shape), range, draw.parameters[0]));
}

OnnxValues normal(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"loc", "scale"});
    return typed(ctx, scaledAndMoved(ctx, random::normal(ctx, draw.shape), draw.parameters[1], draw.parameters[0]));
}

OnnxValues gumbel(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"loc", "scale"});
    const OnnxValue noise = ctx.emit("Neg", {ctx.emit("Log", {random::exponential(ctx, draw.shape)})});
    return {scaledAndMoved(ctx, noise, draw.parameters[1], draw.parameters[0])};
}

/// The difference of two Gumbel samples.
OnnxValues logistic(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"loc", "scale"});
    const OnnxValue ratio =
        ctx.emit("Div", {random::exponential(ctx, draw.shape), random::exponential(ctx, draw.shape)});
    return {scaledAndMoved(ctx, ctx.emit("Log", {ratio}), draw.parameters[1], draw.parameters[0])};
}

OnnxValues exponential(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"scale"});
    return {ctx.emit("Mul", {random::exponential(ctx, draw.shape), draw.parameters[0]})};
}

OnnxValues gamma(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"shape", "scale"});
    return typed(ctx, ctx.emit("Mul", {random::gamma(ctx, draw.parameters[0], draw.shape), draw.parameters[1]}));
}

OnnxValues pareto(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"a"});
    const OnnxValue exponent = ctx.emit("Div", {random::exponential(ctx, draw.shape), draw.parameters[0]});
    return {ctx.emit("Sub", {ctx.emit("Exp", {exponent}), number(ctx, 1)})};
}

OnnxValues powerFunction(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"a"});
    const OnnxValue exponent = ctx.emit("Div", {random::exponential(ctx, draw.shape), draw.parameters[0]});
    return {ctx.emit("Exp", {ctx.emit("Neg", {exponent})})};
}

OnnxValues weibull(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"a"});
    return {ctx.emit("Pow", {random::exponential(ctx, draw.shape), ctx.emit("Reciprocal", {draw.parameters[0]})})};
}

OnnxValues rayleigh(NodeContext& ctx)
{
    const Draw draw = drawn(ctx, {"scale"});
    const OnnxValue twice = ctx.emit("Mul", {random::exponential(ctx, draw.shape), number(ctx, 2)});
    return {ctx.emit("Mul", {ctx.emit("Sqrt", {twice}), draw.parameters[0]})};
}

OnnxValues bernoulli(NodeContext& ctx)
{
    const bool isLogit = Attributes(ctx).boolean("is_logit", Attributes(ctx).has("logit"));
    const Draw draw = drawn(ctx, {isLogit ? "logit" : "prob"});
    const OnnxValue odds = isLogit ? ctx.emit("Sigmoid", {draw.parameters[0]}) : draw.parameters[0];
    return typed(ctx, ctx.emit("Less", {random::uniform(ctx, draw.shape), odds}));
}

/// Classes by the logarithms of their weights, on the last axis: the largest after Gumbel noise is added.
OnnxValue classesOf(const NodeContext& ctx, OnnxValue logarithms, ShapeTerms shape)
{
    shape.push_back(termOf(ctx, logarithms, {0}));
    const OnnxValue noise = ctx.emit("Log", {random::exponential(ctx, shape)});
    return ctx.emit("ArgMax", {ctx.emit("Sub", {logarithms, noise})}, {{"axis", -1}, {"keepdims", 0}});
}

/// The number of n trials in each class.
OnnxValues multinomial(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    constexpr std::int64_t limit = 1 << 16;
    const std::int64_t trials = attributes.integer("n");
    if (trials < 0 || trials > limit) {
        ctx.refuse(fmt::format("{} trials", trials), "n");
    }
    OnnxValue weights;
    if (attributes.has("pvals")) {
        const std::vector<double> given = attributes.numbers("pvals");
        const std::vector<float> rounded(given.begin(), given.end());
        weights = ctx.onnx.constant(
            Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(rounded.size())}, rounded));
    } else {
        weights = emit::cast(ctx, ctx.input(0), ElementType::Float32);
    }
    ShapeTerms shape = namedSize(ctx);
    const auto rank = static_cast<std::int64_t>(shape.size());
    shape.push_back(fixedTerm(trials));
    const OnnxValue found = classesOf(ctx, ctx.emit("Log", {weights}), shape);
    const OnnxValue isClass = ctx.emit("Equal", {emit::unsqueeze(ctx, found, {rank + 1}), countUp(ctx, weights, 0)});
    return {emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isClass, ElementType::Int64), {rank}, false)};
}

/// Indices into a population, with or without replacement, weighted or uniform.
OnnxValues choice(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto population = attributes.optionalInteger("a");
    const bool isWeighted = attributes.boolean("weighted", false);
    const OnnxValue weights = isWeighted ? ctx.input(population ? 0 : 1) : OnnxValue{};
    const std::int64_t count = population ? *population : ctx.fixedDim(ctx.input(0), 0);
    if (count < 1 || count > elementLimit) {
        ctx.invalid(fmt::format("a population of {}", count), "a");
    }
    const ShapeTerms shape = namedSize(ctx);
    const OnnxValue logarithms = isWeighted ? ctx.emit("Log", {emit::cast(ctx, weights, ElementType::Float32)})
                                            : filled(ctx, ElementType::Float32, {count}, 0);
    if (attributes.boolean("replace", true)) {
        if (isWeighted) {
            return {classesOf(ctx, logarithms, shape)};
        }
        if (count > 1 << 24) {
            ctx.refuse(fmt::format("{} values to choose from: the random source has 2^24", count), "a");
        }
        const OnnxValue scaled =
            ctx.emit("Mul", {random::uniform(ctx, shape), number(ctx, static_cast<double>(count))});
        return {emit::cast(ctx, ctx.emit("Floor", {scaled}), ElementType::Int64)};
    }
    // The first elements of a random order, which favours larger weights.
    std::int64_t wanted = 1;
    for (const ShapeTerm& term : shape) {
        wanted *= term.dim.size;
    }
    if (wanted > count) {
        ctx.invalid(fmt::format("a sample of {} from a population of {}", wanted, count), "size");
    }
    const OnnxValue noise = ctx.emit("Log", {random::exponential(ctx, {fixedTerm(count)})});
    const OnnxValue keys = ctx.emit("Sub", {logarithms, noise});
    const OnnxValue order = ctx.onnx.add("TopK", {keys, ctx.onnx.ints({wanted})}, {{"axis", 0}}, 2)[1];
    return {reshapeTo(ctx, order, shape, "size")};
}

constexpr std::string_view same = "the same distribution, different numbers";

} // namespace

std::span<const OpRow> numpyRandomOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_bernoulli", bernoulli, "RandomUniform, Less", Support::Exact, same},
        {"_npi_choice", choice, "RandomUniform, Floor, ArgMax or TopK", Support::Exact, same},
        {"_npi_exponential", exponential, "RandomUniform, Log", Support::Exact, same},
        {"_npi_gamma", gamma, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_npi_gumbel", gumbel, "RandomUniform, Log", Support::Exact, same},
        {"_npi_logistic", logistic, "RandomUniform, Log", Support::Exact, same},
        {"_npi_multinomial", multinomial, "RandomUniform, ArgMax, ReduceSum", Support::Exact, same},
        {"_npi_normal", normal, "RandomNormal", Support::Exact, same},
        {"_npi_normal_n", normal, "RandomNormal", Support::Exact, same},
        {"_npi_pareto", pareto, "RandomUniform, Log, Exp", Support::Exact, same},
        {"_npi_powerd", powerFunction, "RandomUniform, Log, Exp", Support::Exact, same},
        {"_npi_rayleigh", rayleigh, "RandomUniform, Log, Sqrt", Support::Exact, same},
        {"_npi_uniform", uniform, "RandomUniform", Support::Exact, same},
        {"_npi_uniform_n", uniform, "RandomUniform", Support::Exact, same},
        {"_npi_weibull", weibull, "RandomUniform, Log, Pow", Support::Exact, same},
    };
    return rows;
}

} // namespace crosswalk::mxnet
