// Random numbers of distributions with parameters in attributes or in tensors (_sample_*).

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/random/samplers.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

using Parameters = OnnxValues;
/// Numbers of a distribution; the parameters are float32 and broadcast with the shape.
using Distribution = OnnxValue (*)(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape);

OnnxValue number(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(ElementType::Float32, value);
}

bool isNumber(const NodeContext& ctx, OnnxValue parameter, double value)
{
    const Tensor* stored = ctx.onnx.content(parameter);
    return stored != nullptr && stored->elements() == 1 && stored->toDoubles().front() == value;
}

OnnxValue uniform(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    OnnxValue drawn = random::uniform(ctx, shape);
    if (!isNumber(ctx, p[0], 0) || !isNumber(ctx, p[1], 1)) {
        drawn = ctx.emit("Add", {ctx.emit("Mul", {drawn, ctx.emit("Sub", {p[1], p[0]})}), p[0]});
    }
    return drawn;
}

OnnxValue normal(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    OnnxValue drawn = random::normal(ctx, shape);
    if (!isNumber(ctx, p[1], 1)) {
        drawn = ctx.emit("Mul", {drawn, p[1]});
    }
    return isNumber(ctx, p[0], 0) ? drawn : ctx.emit("Add", {drawn, p[0]});
}

OnnxValue exponential(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    return ctx.emit("Div", {random::exponential(ctx, shape), p[0]});
}

OnnxValue gamma(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    return ctx.emit("Mul", {random::gamma(ctx, p[0], shape), p[1]});
}

OnnxValue poisson(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    return random::poisson(ctx, p[0], shape);
}

/// Poisson with a mean that is gamma distributed: k failures at odds of (1 - p) / p.
OnnxValue negativeBinomial(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    const OnnxValue odds = ctx.emit("Div", {ctx.emit("Sub", {number(ctx, 1), p[1]}), p[1]});
    return random::poisson(ctx, ctx.emit("Mul", {random::gamma(ctx, p[0], shape), odds}), shape);
}

OnnxValue generalizedNegativeBinomial(const NodeContext& ctx, const Parameters& p, const ShapeTerms& shape)
{
    if (isNumber(ctx, p[1], 0)) {
        return random::poisson(ctx, p[0], shape);
    }
    const OnnxValue isPoisson = ctx.emit("Equal", {p[1], number(ctx, 0)});
    const OnnxValue alpha = ctx.emit("Where", {isPoisson, number(ctx, 1), p[1]});
    const OnnxValue drawn = random::gamma(ctx, ctx.emit("Reciprocal", {alpha}), shape);
    const OnnxValue spread = ctx.emit("Mul", {drawn, ctx.emit("Mul", {p[0], alpha})});
    return random::poisson(ctx, ctx.emit("Where", {isPoisson, p[0], spread}), shape);
}

struct Description {
    Distribution draw;
    std::vector<std::pair<std::string_view, double>> parameters; ///< attributes and their defaults
};

Description describe(const NodeContext& ctx)
{
    std::string_view name = ctx.node.op;
    for (const std::string_view prefix : {"_random_", "_sample_"}) {
        name = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
    }
    name = name.ends_with("_like") ? name.substr(0, name.size() - 5) : name;
    if (name == "uniform") {
        return {uniform, {{"low", 0}, {"high", 1}}};
    }
    if (name == "normal") {
        return {normal, {{"loc", 0}, {"scale", 1}}};
    }
    if (name == "exponential") {
        return {exponential, {{"lam", 1}}};
    }
    if (name == "gamma") {
        return {gamma, {{"alpha", 1}, {"beta", 1}}};
    }
    if (name == "poisson") {
        return {poisson, {{"lam", 1}}};
    }
    if (name == "negative_binomial") {
        return {negativeBinomial, {{"k", 1}, {"p", 1}}};
    }
    return {generalizedNegativeBinomial, {{"mu", 1}, {"alpha", 1}}};
}

Parameters attributeParameters(const NodeContext& ctx, const Description& description)
{
    Parameters parameters;
    for (const auto& [name, fallback] : description.parameters) {
        parameters.push_back(number(ctx, Attributes(ctx).number(name, fallback)));
    }
    return parameters;
}

ShapeTerms namedShape(const NodeContext& ctx, const Ints& fallback)
{
    const Attributes attributes(ctx);
    const bool isScalar = hasNumpyShapes(ctx) && attributes.has("shape"); // () is one then
    ShapeTerms terms;
    for (const auto dim : isScalar ? attributes.ints("shape") : attributes.ints("shape", fallback)) {
        if (dim < 1) {
            ctx.refuse("MXNet infers the shape from the consumers", "shape", "name it");
        }
        terms.push_back(fixedTerm(dim));
    }
    return terms;
}

OnnxValues described(NodeContext& ctx)
{
    const Description description = describe(ctx);
    const OnnxValue drawn = description.draw(ctx, attributeParameters(ctx, description), namedShape(ctx, {1}));
    return {emit::cast(ctx, drawn, Attributes(ctx).elementType("dtype", ElementType::Float32))};
}

OnnxValues like(NodeContext& ctx)
{
    const Description description = describe(ctx);
    const OnnxValue drawn = description.draw(ctx, attributeParameters(ctx, description), termsOf(ctx, ctx.input(0)));
    return {emit::cast(ctx, drawn, ctx.element(ctx.input(0)))};
}

/// One or several numbers for each element of the parameters.
OnnxValues sampled(NodeContext& ctx)
{
    const ShapeTerms sample = namedShape(ctx, {});
    ShapeTerms shape = termsOf(ctx, ctx.input(0));
    Ints trailing(sample.size());
    std::iota(trailing.begin(), trailing.end(), static_cast<std::int64_t>(shape.size()));
    shape.insert(shape.end(), sample.begin(), sample.end());
    Parameters parameters;
    for (const OnnxValue input : ctx.inputs()) {
        parameters.push_back(emit::unsqueeze(ctx, emit::cast(ctx, input, ElementType::Float32), trailing));
    }
    const OnnxValue drawn = describe(ctx).draw(ctx, parameters, shape);
    return {emit::cast(ctx, drawn, Attributes(ctx).elementType("dtype", ElementType::Float32))};
}

/// Integers from low to high, excluding high.
OnnxValues integers(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto low = static_cast<double>(attributes.integer("low"));
    const double count = static_cast<double>(attributes.integer("high")) - low;
    const bool isLike = ctx.node.op.ends_with("_like");
    if (!(count >= 1) || count > 1 << 24) {
        ctx.refuse(fmt::format("{} integers to choose from: the random source has 2^24", count), "high");
    }
    const ShapeTerms shape = isLike ? termsOf(ctx, ctx.input(0)) : namedShape(ctx, {1});
    const OnnxValue scaled = ctx.emit("Mul", {random::uniform(ctx, shape), number(ctx, count)});
    const OnnxValue whole = emit::cast(ctx, ctx.emit("Floor", {scaled}), ElementType::Int64);
    const OnnxValue moved = ctx.emit("Add", {whole, ctx.onnx.scalar(ElementType::Int64, low)});
    return {emit::cast(ctx, moved, attributes.elementType("dtype", ElementType::Int32))};
}

/// Classes by their probabilities: the largest of log p plus Gumbel noise.
OnnxValues classes(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue p = emit::cast(ctx, ctx.input(0), ElementType::Float32);
    const auto rank = static_cast<std::int64_t>(ctx.rank(p));
    const ShapeTerms sample = namedShape(ctx, rank == 1 ? Ints{1} : Ints{});
    Ints between(sample.size());
    std::iota(between.begin(), between.end(), rank - 1);
    ShapeTerms shape = termsOf(ctx, p);
    shape.insert(shape.iteratorAt(shape.size() - 1), sample.begin(), sample.end());
    const OnnxValue logarithms = emit::unsqueeze(ctx, ctx.emit("Log", {p}), between);
    const OnnxValue noise = ctx.emit("Log", {random::exponential(ctx, shape)});
    const OnnxValue scores = ctx.emit("Sub", {logarithms, noise});
    const OnnxValue found = ctx.emit("ArgMax", {scores}, {{"axis", -1}, {"keepdims", 0}});
    OnnxValues results{emit::cast(ctx, found, attributes.elementType("dtype", ElementType::Int32))};
    if (attributes.boolean("get_prob", false)) {
        const OnnxValue all = expandTo(ctx, logarithms, shape);
        const auto last = static_cast<std::int64_t>(shape.size()) - 1;
        const OnnxValue place = emit::unsqueeze(ctx, found, {last});
        const OnnxValue chosen = ctx.emit("GatherElements", {all, place}, {{"axis", last}});
        results.push_back(emit::cast(ctx, emit::squeeze(ctx, chosen, {last}), ctx.element(ctx.input(0))));
    }
    return results;
}

/// Rows in a random order.
OnnxValues shuffle(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue keys = random::uniform(ctx, {termOf(ctx, x, {0})});
    const OnnxValue order = ctx.onnx.add("TopK", {keys, emit::dimVector(ctx, x, 0)}, {{"axis", 0}}, 2)[1];
    return {emit::gather(ctx, x, order, 0)};
}

constexpr std::string_view same = "the same distribution, different numbers";

} // namespace

std::span<const OpRow> randomOps()
{
    static constexpr OpRow rows[] = {
        {"_random_exponential", described, "RandomUniform, Log", Support::Exact, same},
        {"_random_exponential_like", like, "RandomUniform, Log", Support::Exact, same},
        {"_random_gamma", described, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_random_gamma_like", like, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_random_generalized_negative_binomial", described, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_random_generalized_negative_binomial_like", like, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_random_negative_binomial", described, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_random_negative_binomial_like", like, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_random_normal", described, "RandomNormal", Support::Exact, same},
        {"_random_normal_like", like, "RandomNormal", Support::Exact, same},
        {"_random_poisson", described, "RandomUniform, CumSum", Support::Exact, same},
        {"_random_poisson_like", like, "RandomUniform, CumSum", Support::Exact, same},
        {"_random_randint", integers, "RandomUniform, Floor", Support::Exact, same},
        {"_random_uniform", described, "RandomUniform", Support::Exact, same},
        {"_random_uniform_like", like, "RandomUniform", Support::Exact, same},
        {"_sample_exponential", sampled, "RandomUniform, Log", Support::Exact, same},
        {"_sample_gamma", sampled, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_sample_generalized_negative_binomial", sampled, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_sample_multinomial", classes, "RandomUniform, ArgMax", Support::Exact, same},
        {"_sample_negative_binomial", sampled, "RandomNormal, RandomUniform", Support::Exact, same},
        {"_sample_normal", sampled, "RandomNormal", Support::Exact, same},
        {"_sample_poisson", sampled, "RandomUniform, CumSum", Support::Exact, same},
        {"_sample_uniform", sampled, "RandomUniform", Support::Exact, same},
        {"_shuffle", shuffle, "RandomUniform, TopK, Gather", Support::Exact, same},
    };
    return rows;
}

} // namespace crosswalk::mxnet
