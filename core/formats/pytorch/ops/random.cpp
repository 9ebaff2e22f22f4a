// Random numbers: the distributions are PyTorch's, the numbers are not.

#include "core/convert/forms/random/samplers.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <numbers>

namespace crosswalk::pytorch {
namespace {

namespace random = forms::random;
using forms::ShapeTerms;

using Sampler = OnnxValue (*)(const NodeContext& ctx, const ShapeTerms& shape);

/// The dimensions that a vector of sizes states.
ShapeTerms termsOfSizes(const NodeContext& ctx, const Arguments& arguments, std::string_view name)
{
    ShapeTerms terms;
    for (const Dim& dim : arguments.shape(name)) {
        if (!dim.isFixed()) {
            const OnnxValue one = ctx.onnx.scalar(ElementType::Float32, 1);
            return forms::termsOf(ctx, emit::expand(ctx, one, arguments.vector(name)));
        }
        terms.push_back(forms::fixedTerm(dim.size));
    }
    return terms;
}

/// Of the argument size, or of the tensor self.
ShapeTerms shapeOf(const NodeContext& ctx, const Arguments& arguments)
{
    return arguments.has("size") ? termsOfSizes(ctx, arguments, "size") : forms::termsOf(ctx, arguments.tensor("self"));
}

ElementType resultType(const NodeContext& ctx, const Arguments& arguments, ElementType fallback = ElementType::Float32)
{
    return arguments.type("dtype", arguments.has("self") ? ctx.element(arguments.tensor("self")) : fallback);
}

/// An argument as float32: a tensor, a number, or `fallback` where it is absent.
OnnxValue parameter(const NodeContext& ctx, const Arguments& arguments, std::string_view name, double fallback)
{
    return arguments.has(name) ? operand(ctx, arguments, name, ElementType::Float32)
                               : ctx.onnx.scalar(ElementType::Float32, fallback);
}

OnnxValue scaled(const NodeContext& ctx, OnnxValue x, OnnxValue scale, OnnxValue offset)
{
    return ctx.emit("Add", {ctx.emit("Mul", {x, scale}), offset});
}

template <Sampler sampler>
OnnxValues drawn(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::cast(ctx, sampler(ctx, shapeOf(ctx, arguments)), resultType(ctx, arguments))};
}

/// From `from` up to `to`.
OnnxValues uniform(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue from = parameter(ctx, arguments, "from", 0);
    const OnnxValue range = ctx.emit("Sub", {parameter(ctx, arguments, "to", 1), from});
    const OnnxValue u = random::uniform(ctx, shapeOf(ctx, arguments));
    return {emit::cast(ctx, scaled(ctx, u, range, from), resultType(ctx, arguments))};
}

/// In the shape of self, of the argument size, or of the mean and the deviation, which broadcast.
OnnxValue normalNumbers(NodeContext& ctx, const Arguments& arguments, double mean, double deviation)
{
    const OnnxValue centre = parameter(ctx, arguments, "mean", mean);
    const OnnxValue scale = parameter(ctx, arguments, "std", deviation);
    const bool hasShape = arguments.has("self") || arguments.has("size");
    const ShapeTerms shape = hasShape ? shapeOf(ctx, arguments) : forms::termsOf(ctx, ctx.emit("Add", {centre, scale}));
    return scaled(ctx, random::normal(ctx, shape), scale, centre);
}

ElementType normalType(const NodeContext& ctx, const Arguments& arguments)
{
    for (const std::string_view name : {"mean", "std"}) {
        if (arguments.has(name) && !arguments.isStored(name) && !arguments.isNumber(name)) {
            return ctx.element(arguments.tensor(name));
        }
    }
    return resultType(ctx, arguments);
}

OnnxValues normal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::cast(ctx, normalNumbers(ctx, arguments, 0, 1), normalType(ctx, arguments))};
}

OnnxValues logNormal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue y = ctx.emit("Exp", {normalNumbers(ctx, arguments, 1, 2)});
    return {emit::cast(ctx, y, resultType(ctx, arguments))};
}

OnnxValues exponential(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue y = random::exponential(ctx, shapeOf(ctx, arguments));
    const OnnxValue rate = parameter(ctx, arguments, "lambd", 1);
    return {emit::cast(ctx, ctx.emit("Div", {y, rate}), resultType(ctx, arguments))};
}

/// median + sigma tan(pi (u - 1/2))
OnnxValues cauchy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue u = random::uniform(ctx, shapeOf(ctx, arguments));
    const auto number = [&](double value) { return ctx.onnx.scalar(ElementType::Float32, value); };
    const OnnxValue angle = ctx.emit("Mul", {ctx.emit("Sub", {u, number(0.5)}), number(std::numbers::pi)});
    const OnnxValue y = scaled(ctx, ctx.emit("Tan", {angle}), parameter(ctx, arguments, "sigma", 1),
                               parameter(ctx, arguments, "median", 0));
    return {emit::cast(ctx, y, resultType(ctx, arguments))};
}

/// The number of tosses up to the first success: 1 + floor(e / -log(1 - p)) of an exponential number e.
OnnxValues geometric(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue one = ctx.onnx.scalar(ElementType::Float32, 1);
    const OnnxValue e = random::exponential(ctx, shapeOf(ctx, arguments));
    const OnnxValue failure = ctx.emit("Sub", {one, parameter(ctx, arguments, "p", 0.5)});
    const OnnxValue failures = ctx.emit("Floor", {ctx.emit("Div", {e, ctx.emit("Neg", {ctx.emit("Log", {failure})})})});
    return {emit::cast(ctx, ctx.emit("Add", {failures, one}), resultType(ctx, arguments))};
}

/// With the probabilities p, which are those of self if there is none.
OnnxValues bernoulli(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue p = parameter(ctx, arguments, arguments.has("p") ? "p" : "self", 0.5);
    const OnnxValue u = random::uniform(ctx, forms::termsOf(ctx, arguments.tensor("self")));
    return {emit::cast(ctx, ctx.emit("Less", {u, p}), resultType(ctx, arguments))};
}

OnnxValues poissonNumbers(NodeContext& ctx)
{
    const OnnxValue mean = selfOf(ctx);
    const OnnxValue y = random::poisson(ctx, emit::cast(ctx, mean, ElementType::Float32), forms::termsOf(ctx, mean));
    return {emit::cast(ctx, y, ctx.element(mean))};
}

/// Integers from one bound up to the other, exclusive.
OnnxValue integersBetween(const NodeContext& ctx, const ShapeTerms& shape, OnnxValue low, OnnxValue high)
{
    const auto wide = [&](OnnxValue x) { return emit::cast(ctx, x, ElementType::Float64); };
    const OnnxValue count = ctx.emit("Sub", {wide(high), wide(low)});
    const OnnxValue places = ctx.emit("Floor", {ctx.emit("Mul", {wide(random::uniform(ctx, shape)), count})});
    return ctx.emit("Add", {places, wide(low)});
}

/// The largest number of integers among which a uniform number of 24 bits can select.
constexpr std::int64_t mostIntegers = 1 << 24;

OnnxValues integers(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (arguments.isStored("high") && arguments.integer("high", 0) - arguments.integer("low", 0) > mostIntegers) {
        ctx.refuse("more than 2^24 integers to choose from, which the random source does not distinguish", "high");
    }
    const OnnxValue y =
        integersBetween(ctx, shapeOf(ctx, arguments), arguments.scalar("low", 0), arguments.scalar("high", 0));
    return {emit::cast(ctx, y, resultType(ctx, arguments, ElementType::Int64))};
}

/// Indices of random numbers in order.
OnnxValues permutation(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue count = forms::intVector(ctx, arguments.scalar("n", 0));
    const OnnxValue one = ctx.onnx.scalar(ElementType::Float32, 1);
    const OnnxValue keys = random::uniform(ctx, forms::termsOf(ctx, emit::expand(ctx, one, count)));
    const OnnxValue order = ctx.onnx.add("TopK", {keys, count}, {{"axis", 0}}, 2)[1];
    return {emit::cast(ctx, order, arguments.type("dtype", ElementType::Int64))};
}

/// Indices of the last axis by their weights: those of the largest sums of the logarithm of a weight and a number of
/// Gumbel's distribution, which is minus the logarithm of an exponential one. The largest `count` sums of one draw
/// select without replacement.
OnnxValues multinomial(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue weights = emit::cast(ctx, arguments.tensor("self"), ElementType::Float32);
    const std::int64_t count = arguments.positive("num_samples", 1);
    const OnnxValue logits = ctx.emit("Log", {weights});
    const auto last = static_cast<std::int64_t>(ctx.rank(weights)) - 1;
    if (!arguments.truth("replacement")) {
        const OnnxValue noise = ctx.emit("Log", {random::exponential(ctx, forms::termsOf(ctx, weights))});
        const OnnxValue scores = ctx.emit("Sub", {logits, noise});
        return {ctx.onnx.add("TopK", {scores, ctx.onnx.ints({count})}, {{"axis", last}}, 2)[1]};
    }
    ShapeTerms shape = forms::termsOf(ctx, weights);
    shape.insert(shape.iteratorAt(shape.size() - 1), forms::fixedTerm(count));
    const OnnxValue noise = ctx.emit("Log", {random::exponential(ctx, shape)});
    const OnnxValue scores = ctx.emit("Sub", {emit::unsqueeze(ctx, logits, {last}), noise});
    return {ctx.emit("ArgMax", {scores}, {{"axis", last + 1}, {"keepdims", 0}})};
}

constexpr std::string_view otherNumbers = "the same distribution, different numbers";

} // namespace

std::span<const OpRow> randomOps()
{
    static constexpr OpRow rows[] = {
        {"aten::bernoulli", bernoulli, "RandomUniform, Less", Support::Exact, otherNumbers},
        {"aten::cauchy", cauchy, "RandomUniform, Tan", Support::Exact, otherNumbers},
        {"aten::exponential", exponential, "RandomUniform, Log", Support::Exact, otherNumbers},
        {"aten::geometric", geometric, "RandomUniform, Log, Floor", Support::Exact, otherNumbers},
        {"aten::log_normal", logNormal, "RandomNormal, Exp", Support::Exact, otherNumbers},
        {"aten::multinomial", multinomial, "RandomUniform, Log, TopK", Support::Exact, otherNumbers},
        {"aten::normal", normal, "RandomNormal", Support::Exact, otherNumbers},
        {"aten::normal_functional", normal, "RandomNormal", Support::Exact, otherNumbers},
        {"aten::poisson", poissonNumbers, "RandomUniform, CumSum", Support::Exact, otherNumbers},
        {"aten::rand", drawn<random::uniform>, "RandomUniform", Support::Exact, otherNumbers},
        {"aten::rand_like", drawn<random::uniform>, "RandomUniform", Support::Exact, otherNumbers},
        {"aten::randint", integers, "RandomUniform, Floor", Support::Exact, otherNumbers},
        {"aten::randint_like", integers, "RandomUniform, Floor", Support::Exact, otherNumbers},
        {"aten::randn", drawn<random::normal>, "RandomNormal", Support::Exact, otherNumbers},
        {"aten::randn_like", drawn<random::normal>, "RandomNormal", Support::Exact, otherNumbers},
        {"aten::randperm", permutation, "RandomUniform, TopK", Support::Exact, otherNumbers},
        {"aten::uniform", uniform, "RandomUniform", Support::Exact, otherNumbers},
    };
    return rows;
}

} // namespace crosswalk::pytorch
