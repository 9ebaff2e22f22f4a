// Counting, and ranges of several lengths.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The count of each number from 0 to size - 1, or the sum of its weights. Larger numbers are ignored.
OnnxValue counted(const NodeContext& ctx, OnnxValue x, OnnxValue size, OnnxValue weights, bool isBinary)
{
    if (ctx.onnx.opset() < 16 && !isBinary) {
        ctx.refuse("ScatterND supports addition from opset 16", {}, "take --opset 16");
    }
    const ElementType type = ctx.element(weights);
    const OnnxValue numbers = asInt64(ctx, x);
    const OnnxValue isIn = ctx.emit("Less", {numbers, size});
    const OnnxValue places = ctx.emit("Where", {isIn, numbers, size});
    const bool hasWeights = ctx.rank(weights) == 1 && ctx.shape(weights)[0] != Dim(0) && !isBinary;
    const OnnxValue updates = hasWeights ? weights : filledTo(ctx, type, 1, emit::shapeVector(ctx, numbers));
    const OnnxValue zeros = filledTo(ctx, type, 0, ctx.emit("Add", {size, ctx.onnx.ints({1})}));
    OnnxAttributes attributes;
    if (!isBinary) {
        attributes.emplace_back("reduction", "add");
    }
    const OnnxValue all = ctx.emit("ScatterND", {zeros, emit::unsqueeze(ctx, places, {1}), updates}, attributes);
    return emit::slice(ctx, all, ctx.onnx.ints({0}), size, ctx.onnx.ints({0}));
}

OnnxValues denseBincount(NodeContext& ctx)
{
    if (ctx.rank(ctx.input(0)) != 1) {
        ctx.refuse(fmt::format("DenseBincount of {} dimensions", ctx.rank(ctx.input(0))));
    }
    return {
        counted(ctx, ctx.input(0), intVector(ctx, ctx.input(1)), ctx.input(2), Settings(ctx).boolean("binary_output"))};
}

OnnxValues bincount(NodeContext& ctx)
{
    return {
        counted(ctx, emit::reshape(ctx, ctx.input(0), Ints{-1}), intVector(ctx, ctx.input(1)), ctx.input(2), false)};
}

/// Concatenated ranges: their starts, and their elements.
OnnxValues raggedRange(NodeContext& ctx)
{
    const ElementType own = ctx.element(ctx.input(0));
    if (!isInteger(own)) {
        ctx.refuse(fmt::format("RaggedRange of {}", elementTypeName(own)), "T");
    }
    // All three as vectors of one length.
    OnnxValue starts = intVector(ctx, ctx.input(0));
    OnnxValue ends = intVector(ctx, ctx.input(1));
    OnnxValue steps = intVector(ctx, ctx.input(2));
    const OnnxValue distance = ctx.emit("Sub", {ends, starts});
    const OnnxValue zero = ctx.onnx.ints({0});
    // ceil(distance / step), not below 0: minus the division of the negative distance, rounded down.
    const OnnxValue negative = ctx.emit("Neg", {distance});
    const OnnxValue rest = ctx.emit("Mod", {negative, steps});
    const OnnxValue down = ctx.emit("Div", {ctx.emit("Sub", {negative, rest}), steps});
    const OnnxValue counts = arithmetic::maximum(ctx, ctx.emit("Neg", {down}), zero);
    const OnnxValue ranges = emit::shapeVector(ctx, counts);
    const OnnxValue scalarZero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue sums = ctx.emit("CumSum", {counts, scalarZero});
    const OnnxValue splits = emit::concat(ctx, {zero, sums}, 0);
    // The range of each element is how many ranges end at or before it.
    const OnnxValue total = emit::reduce(ctx, "ReduceSum", counts, {0}, true);
    const OnnxValue places = countTo(ctx, total);
    const OnnxValue isBehind =
        arithmetic::greaterOrEqual(ctx, emit::unsqueeze(ctx, places, {1}), emit::unsqueeze(ctx, sums, {0}));
    const OnnxValue number = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isBehind, ElementType::Int64), {1}, false);
    const OnnxValue first = emit::gather(ctx, splits, number, 0);
    const auto of = [&](OnnxValue vector) { return emit::gather(ctx, emit::expand(ctx, vector, ranges), number, 0); };
    const OnnxValue values =
        ctx.emit("Add", {of(starts), ctx.emit("Mul", {ctx.emit("Sub", {places, first}), of(steps)})});
    return {emit::cast(ctx, splits, Settings(ctx).elementType("Tsplits")), emit::cast(ctx, values, own)};
}

constexpr OpRow rows[] = {
    {"Bincount", bincount, "ScatterND"},
    {"DenseBincount", denseBincount, "ScatterND"},
    {"RaggedRange", raggedRange, "CumSum, Gather"},
};

} // namespace

std::span<const OpRow> countingOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
