// Sums, means and extremes along axes. TensorFlow has the axes as an operand; no axes leave the tensor unchanged.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

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

OnnxValues sum(NodeContext& ctx)
{
    return {reduced(ctx, "ReduceSum", ctx.input(0))};
}

OnnxValues product(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (isInteger(ctx.element(x)) && !axesOf(ctx, x)) {
        ctx.note("integer-overflow", "products that overflow wrap around in TensorFlow, but saturate in ONNX Runtime");
    }
    return {reduced(ctx, "ReduceProd", x)};
}

/// Over no axis the norms of the elements alone. The sum of squares has the type of the elements.
OnnxValues euclideanNorm(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const auto axes = axesOf(ctx, x);
    if (axes && axes->empty()) {
        return {computedAs(ctx, widened(own), x, [&](OnnxValue value) { return ctx.emit("Abs", {value}); })};
    }
    if (isInteger(own)) {
        const OnnxValue squares = reduced(ctx, "ReduceSum", arithmetic::multiply(ctx, x, x));
        return {
            computedAs(ctx, ElementType::Float64, squares, [&](OnnxValue value) { return ctx.emit("Sqrt", {value}); })};
    }
    if (own == ElementType::Float16) {
        return {computedAs(ctx, ElementType::Float32, x, [&](OnnxValue value) {
            // As rounded to half precision: a Cast there and back would not survive ONNX Runtime's optimizer.
            const OnnxValue squares = reduced(ctx, "ReduceSumSquare", value);
            const OnnxValue isBeyond = ctx.emit("Greater", {squares, emit::scalarLike(ctx, squares, 65519.99)});
            const OnnxValue infinity = emit::scalarLike(ctx, squares, std::numeric_limits<double>::infinity());
            return ctx.emit("Sqrt", {ctx.emit("Where", {isBeyond, infinity, squares})});
        })};
    }
    return {reduced(ctx, "ReduceL2", x)};
}

/// The largest or smallest element, or NaN if one of them is NaN.
OnnxValue extreme(const NodeContext& ctx, std::string_view op)
{
    const OnnxValue x = ctx.input(0);
    const auto axes = axesOf(ctx, x);
    if (!isFloating(ctx.element(x)) || (axes && axes->empty())) {
        return reduced(ctx, op, x);
    }
    return computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue value) {
        // ONNX leaves open what becomes of NaN, and ONNX Runtime ignores it but at the beginning. The sum of
        // zeros leaves every extreme as it is.
        const OnnxValue zeroOrNan = emit::clip(ctx, value, 0, 0);
        return ctx.emit("Add", {reduced(ctx, op, value), reduced(ctx, "ReduceSum", zeroOrNan)});
    });
}

OnnxValues largest(NodeContext& ctx)
{
    return {extreme(ctx, "ReduceMax")};
}

OnnxValues smallest(NodeContext& ctx)
{
    return {extreme(ctx, "ReduceMin")};
}

/// The mean of integers is truncated to an integer; TensorFlow sums those of less than 64 bits up in a wider type.
OnnxValues mean(NodeContext& ctx)
{
    OnnxValue x = ctx.input(0);
    const ElementType type = ctx.element(x);
    const bool isSmall = isInteger(type) && byteSize(type) < 8;
    const auto axes = axesOf(ctx, x);
    const auto dim = [&](std::int64_t axis) { return ctx.shape(x)[static_cast<std::size_t>(axis)]; };
    const bool isEmpty = axes && std::ranges::any_of(*axes, [&](auto axis) { return dim(axis) == Dim(0); });
    if (axes && isFloating(type) && !isEmpty) {
        const OnnxValue average = reduced(ctx, "ReduceMean", x);
        if (std::ranges::all_of(*axes, [&](auto axis) { return dim(axis).isFixed(); })) {
            return {average};
        }
        // TensorFlow's mean over an empty axis is NaN (0 / 0); ONNX leaves it undefined. If another axis is empty, the
        // result is empty too.
        const ElementType wide = widened(type);
        const OnnxValue size = emit::cast(ctx, sizeOf(ctx, x), wide);
        const OnnxValue zeroOrNan = ctx.emit("Div", {emit::scalarLike(ctx, size, 0), size});
        return {computedAs(ctx, wide, average, [&](OnnxValue value) { return ctx.emit("Add", {value, zeroOrNan}); })};
    }
    if (isEmpty && !isFloating(type)) {
        ctx.refuse("the mean of integers over an empty axis is undefined");
    }
    x = isSmall ? emit::cast(ctx, x, ElementType::Int64) : x;
    const OnnxValue sum = reduced(ctx, "ReduceSum", x);
    OnnxValue count;
    if (axes) {
        count = emit::cast(ctx, scalarOf(ctx, emit::dimProduct(ctx, x, *axes)), ctx.element(x));
    } else {
        count = reduced(ctx, "ReduceSum", filledTo(ctx, ctx.element(x), 1, emit::shapeVector(ctx, x)));
    }
    return {emit::cast(ctx, arithmetic::divide(ctx, sum, count), type)};
}

OnnxValues any(NodeContext& ctx)
{
    if (const auto axes = axesOf(ctx, ctx.input(0))) {
        return {anyAlong(ctx, ctx.input(0), *axes, Settings(ctx).boolean("keep_dims"))};
    }
    const OnnxValue x = emit::cast(ctx, ctx.input(0), ElementType::Int32);
    return {emit::cast(ctx, reduced(ctx, "ReduceSum", x), ElementType::Bool)};
}

OnnxValues all(NodeContext& ctx)
{
    if (const auto axes = axesOf(ctx, ctx.input(0))) {
        return {allAlong(ctx, ctx.input(0), *axes, Settings(ctx).boolean("keep_dims"))};
    }
    const OnnxValue isFalse = emit::cast(ctx, ctx.emit("Not", {ctx.input(0)}), ElementType::Int32);
    return {ctx.emit("Not", {emit::cast(ctx, reduced(ctx, "ReduceSum", isFalse), ElementType::Bool)})};
}

/// The index of the first of equal elements. TensorFlow compares each with the best one so far, at the beginning the
/// lowest or highest finite number: neither NaN nor the infinity beyond it is better, and if no element is, the index
/// is 0.
OnnxValues extremeIndex(NodeContext& ctx, bool isLargest)
{
    OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(constantInt(ctx, 1, "the dimension"), ctx.rank(x), "dimension");
    const ElementType type = ctx.element(x);
    x = type == ElementType::Float16 ? emit::cast(ctx, x, ElementType::Float32) : arithmetic::sortable(ctx, x);
    if (isFloating(type)) {
        const double end = highestNumber(type);
        const OnnxValue last = emit::scalarLike(ctx, x, isLargest ? -end : end);
        x = ctx.emit("Where", {ctx.emit(isLargest ? "Greater" : "Less", {x, last}), x, last});
    }
    const OnnxValue index = ctx.emit(isLargest ? "ArgMax" : "ArgMin", {x}, {{"axis", axis}, {"keepdims", 0}});
    return {emit::cast(ctx, index, Settings(ctx).elementType("output_type"))};
}

OnnxValues largestIndex(NodeContext& ctx)
{
    return extremeIndex(ctx, true);
}

OnnxValues smallestIndex(NodeContext& ctx)
{
    return extremeIndex(ctx, false);
}

} // namespace

std::span<const OpRow> reductionOps()
{
    static constexpr OpRow rows[] = {
        {"All", all, "ReduceMin"},
        {"Any", any, "ReduceMax"},
        {"ArgMax", largestIndex, "Where, ArgMax"},
        {"ArgMin", smallestIndex, "Where, ArgMin"},
        {"EuclideanNorm", euclideanNorm, "ReduceL2, or ReduceSum, Sqrt"},
        {"Max", largest, "ReduceMax, Clip, ReduceSum, or TopK"},
        {"Mean", mean, "ReduceMean"},
        {"Min", smallest, "ReduceMin, Clip, ReduceSum, or TopK"},
        {"Prod", product, "ReduceProd, or Scan"},
        {"Sum", sum, "ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
