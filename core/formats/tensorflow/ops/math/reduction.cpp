// Sums, means and extremes along axes. TensorFlow has the axes as an operand; no axes leave the tensor unchanged.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The axes of input 1, in order, each once; nothing if they are computed.
std::optional<Ints> axesOf(const NodeContext& ctx, OnnxValue x)
{
    const auto& count = ctx.onnx.shape(ctx.input(1));
    if (count && *count == Shape{Dim(0)}) {
        return Ints();
    }
    auto axes = knownInts(ctx, ctx.input(1));
    if (!axes) {
        return std::nullopt;
    }
    for (auto& axis : *axes) {
        axis = ctx.axis(axis, ctx.rank(x));
    }
    std::sort(axes->begin(), axes->end());
    if (std::adjacent_find(axes->begin(), axes->end()) != axes->end()) {
        ctx.invalid("an axis occurs twice");
    }
    return axes;
}

/// The reduction over computed axes, which ReduceSum takes from opset 13 on and the others from 18.
OnnxValue overComputedAxes(const NodeContext& ctx, std::string_view op, OnnxValue x, bool keepDims)
{
    const int first = op == "ReduceSum" ? 13 : 18;
    if (ctx.onnx.opset() < first) {
        ctx.refuse(fmt::format("{} accepts computed axes from opset {}", op, first), {},
                   fmt::format("take --opset {}", first));
    }
    const OnnxValue axes = intVector(ctx, ctx.input(1));
    const OnnxValue y = ctx.emit(op, {x, axes}, {{"keepdims", keepDims}, {"noop_with_empty_axes", 1}});
    const auto& count = ctx.onnx.shape(axes);
    if (count && count->size() == 1 && (keepDims || count->front().isFixed())) {
        const auto dropped = keepDims ? 0 : static_cast<std::size_t>(count->front().size);
        if (dropped > ctx.rank(x)) {
            ctx.invalid(fmt::format("{} axes of {} dimensions", dropped, ctx.rank(x)));
        }
        ctx.onnx.refine(y, Shape(ctx.rank(x) - dropped));
    }
    return y;
}

OnnxValue reduced(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    const bool keepDims = Settings(ctx).boolean("keep_dims");
    const auto axes = axesOf(ctx, x);
    if (axes) {
        return reducedAlong(ctx, op, x, *axes, keepDims);
    }
    return computedAs(ctx, widened(ctx.element(x)), x,
                      [&](OnnxValue value) { return overComputedAxes(ctx, op, value, keepDims); });
}

template <int op>
OnnxValues reduction(NodeContext& ctx)
{
    static constexpr std::string_view ops[] = {"ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceL2"};
    return {reduced(ctx, ops[op], ctx.input(0))};
}

/// The mean of integers is truncated to an integer.
OnnxValues mean(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const auto axes = axesOf(ctx, x);
    const auto isNothing = [&](std::int64_t axis) { return ctx.shape(x)[static_cast<std::size_t>(axis)] == Dim(0); };
    const bool isEmpty = axes && std::ranges::any_of(*axes, isNothing);
    if (axes && isFloating(ctx.element(x)) && !isEmpty) {
        return {reduced(ctx, "ReduceMean", x)};
    }
    if (isEmpty && !isFloating(ctx.element(x))) {
        ctx.refuse("the mean of no integers");
    }
    const OnnxValue sum = reduced(ctx, "ReduceSum", x);
    if (axes) {
        const OnnxValue count = scalarOf(ctx, emit::dimProduct(ctx, x, *axes));
        return {arithmetic::divide(ctx, sum, emit::cast(ctx, count, ctx.element(x)))};
    }
    const OnnxValue ones = filledTo(ctx, ctx.element(x), 1, emit::shapeVector(ctx, x));
    return {arithmetic::divide(ctx, sum, reduced(ctx, "ReduceSum", ones))};
}

OnnxValues any(NodeContext& ctx)
{
    const OnnxValue x = emit::cast(ctx, ctx.input(0), ElementType::Int32);
    if (!axesOf(ctx, x)) {
        return {emit::cast(ctx, reduced(ctx, "ReduceSum", x), ElementType::Bool)};
    }
    // The largest of no elements is the lowest number.
    const OnnxValue largest = reduced(ctx, "ReduceMax", x);
    return {ctx.emit("Greater", {largest, emit::scalarLike(ctx, largest, 0)})};
}

OnnxValues all(NodeContext& ctx)
{
    if (axesOf(ctx, ctx.input(0))) {
        const OnnxValue x = emit::cast(ctx, ctx.input(0), ElementType::Int32);
        return {emit::cast(ctx, reduced(ctx, "ReduceMin", x), ElementType::Bool)};
    }
    const OnnxValue isFalse = emit::cast(ctx, ctx.emit("Not", {ctx.input(0)}), ElementType::Int32);
    return {ctx.emit("Not", {emit::cast(ctx, reduced(ctx, "ReduceSum", isFalse), ElementType::Bool)})};
}

/// The first of equal elements.
OnnxValues extremeIndex(NodeContext& ctx, std::string_view op)
{
    OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(constantInt(ctx, 1, "the dimension"), ctx.rank(x), "dimension");
    const ElementType type = ctx.element(x);
    x = type == ElementType::Int64 || type == ElementType::UInt32 || type == ElementType::UInt64
            ? emit::cast(ctx, x, ElementType::Float64)
            : emit::cast(ctx, x, widened(type));
    const OnnxValue index = ctx.emit(op, {x}, {{"axis", axis}, {"keepdims", 0}});
    return {emit::cast(ctx, index, Settings(ctx).elementType("output_type"))};
}

OnnxValues largestIndex(NodeContext& ctx)
{
    return extremeIndex(ctx, "ArgMax");
}

OnnxValues smallestIndex(NodeContext& ctx)
{
    return extremeIndex(ctx, "ArgMin");
}

constexpr OpRow rows[] = {
    {"All", all, "ReduceMin"},
    {"Any", any, "ReduceMax"},
    {"ArgMax", largestIndex, "ArgMax"},
    {"ArgMin", smallestIndex, "ArgMin"},
    {"EuclideanNorm", reduction<4>, "ReduceL2"},
    {"Max", reduction<2>, "ReduceMax"},
    {"Mean", mean, "ReduceMean"},
    {"Min", reduction<3>, "ReduceMin"},
    {"Prod", reduction<1>, "ReduceProd"},
    {"Sum", reduction<0>, "ReduceSum"},
};

} // namespace

std::span<const OpRow> reductionOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
