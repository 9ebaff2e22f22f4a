// Random numbers: the distributions are TensorFlow's, the numbers are not.

#include "core/convert/forms/elementwise/special_functions.h"
#include "core/convert/forms/random/samplers.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <cmath>
#include <numbers>

namespace crosswalk::tensorflow {
namespace {

/// The shape given by input 0.
ShapeTerms shapeOf(const NodeContext& ctx)
{
    ShapeTerms terms;
    const OnnxValue dims = intVector(ctx, ctx.input(0));
    if (const auto known = knownInts(ctx, dims)) {
        for (const auto dim : *known) {
            terms.push_back(fixedTerm(dim));
        }
        return terms;
    }
    return termsOf(ctx, filledTo(ctx, ElementType::Float32, 1, dims));
}

OnnxValues uniform(NodeContext& ctx)
{
    return {emit::cast(ctx, random::uniform(ctx, shapeOf(ctx)), Settings(ctx).elementType("dtype"))};
}

OnnxValues normal(NodeContext& ctx)
{
    return {emit::cast(ctx, random::normal(ctx, shapeOf(ctx)), Settings(ctx).elementType("dtype"))};
}

/// Standard normal, truncated at two deviations: the inverse distribution function of a uniform number.
OnnxValues truncatedNormal(NodeContext& ctx)
{
    const OnnxValue u = random::uniform(ctx, shapeOf(ctx));
    const OnnxValue reach = emit::scalarLike(ctx, u, 2 * std::erf(std::numbers::sqrt2));
    const OnnxValue centred = ctx.emit("Sub", {u, emit::scalarLike(ctx, u, 0.5)});
    const OnnxValue place = special::inverseError(ctx, ctx.emit("Mul", {centred, reach}));
    const OnnxValue y = ctx.emit("Mul", {place, emit::scalarLike(ctx, place, std::numbers::sqrt2)});
    return {emit::cast(ctx, y, Settings(ctx).elementType("dtype"))};
}

/// Integers from the second input up to the third, exclusive.
OnnxValues uniformInteger(NodeContext& ctx)
{
    const OnnxValue u = emit::cast(ctx, random::uniform(ctx, shapeOf(ctx)), ElementType::Float64);
    const OnnxValue low = emit::cast(ctx, ctx.input(1), ElementType::Float64);
    const OnnxValue high = emit::cast(ctx, ctx.input(2), ElementType::Float64);
    const OnnxValue place = ctx.emit("Floor", {ctx.emit("Mul", {u, ctx.emit("Sub", {high, low})})});
    return {emit::cast(ctx, ctx.emit("Add", {place, low}), ctx.element(ctx.input(1)))};
}

/// Sorts the rows by random numbers.
OnnxValues shuffle(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) == 0) {
        return {x};
    }
    const OnnxValue count = emit::dimVector(ctx, x, 0);
    const OnnxValue numbers = random::uniform(ctx, {termOf(ctx, x, {0})});
    const OnnxValues order = ctx.onnx.add("TopK", {numbers, count}, {{"axis", 0}}, 2);
    return {emit::gather(ctx, x, order[1], 0)};
}

/// Draws indices of the rows of logits by their probabilities: the largest sum of a logit and a number of Gumbel's
/// distribution, which is minus the logarithm of an exponential one.
OnnxValues categorical(NodeContext& ctx)
{
    const OnnxValue logits = emit::cast(ctx, ctx.input(0), ElementType::Float32);
    const OnnxValue count = intVector(ctx, ctx.input(1));
    const OnnxValue size =
        emit::concat(ctx, {emit::dimVector(ctx, logits, 0), count, emit::dimVector(ctx, logits, 1)}, 0);
    const auto known = knownInts(ctx, count);
    ShapeTerms shape{termOf(ctx, logits, {0}), {}, termOf(ctx, logits, {1})};
    if (known) {
        shape[1] = fixedTerm(known->front());
    } else {
        shape = termsOf(ctx, filledTo(ctx, ElementType::Float32, 1, size));
    }
    const OnnxValue noise = ctx.emit("Log", {random::exponential(ctx, shape)});
    const OnnxValue scores = ctx.emit("Sub", {emit::unsqueeze(ctx, logits, {1}), noise});
    const OnnxValue index = ctx.emit("ArgMax", {scores}, {{"axis", 2}, {"keepdims", 0}});
    return {emit::cast(ctx, index, Settings(ctx).elementType("output_dtype"))};
}

constexpr std::string_view otherNumbers = "the same distribution, different numbers";

} // namespace

std::span<const OpRow> randomOps()
{
    static constexpr OpRow rows[] = {
        {"Multinomial", categorical, "RandomUniform, Log, ArgMax", otherNumbers},
        {"RandomShuffle", shuffle, "RandomUniform, TopK, Gather", otherNumbers},
        {"RandomStandardNormal", normal, "RandomNormal", otherNumbers},
        {"RandomUniform", uniform, "RandomUniform", otherNumbers},
        {"RandomUniformInt", uniformInteger, "RandomUniform, Floor", otherNumbers},
        {"TruncatedNormal", truncatedNormal, "RandomUniform", otherNumbers},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
