#include "core/convert/forms/tensor/segments.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/slice_end.h"

#include <limits>
#include <numeric>

namespace crosswalk::forms {
namespace {

/// x with further axes of size one behind its own, one for each but the first of the rows.
OnnxValue besideRows(const NodeContext& ctx, OnnxValue x, OnnxValue rows)
{
    Ints behind(ctx.rank(rows) - 1);
    std::iota(behind.begin(), behind.end(), static_cast<std::int64_t>(ctx.rank(x)));
    return emit::unsqueeze(ctx, x, behind);
}

/// Adds or multiplies. A further segment takes the negative numbers, which ONNX would count from the end.
OnnxValue scattered(const NodeContext& ctx, const Segments& segments, std::string_view reduction)
{
    const ElementType type = ctx.element(segments.rows);
    const OnnxValue isOut = ctx.emit("Less", {segments.numbers, ctx.onnx.scalar(ElementType::Int64, 0)});
    const OnnxValue numbers = ctx.emit("Where", {isOut, segments.count, segments.numbers});
    const OnnxValue more = ctx.emit("Add", {segments.count, ctx.onnx.ints({1})});
    const OnnxValue rest =
        emit::slice(ctx, emit::shapeVector(ctx, segments.rows), Ints{1}, Ints{emit::farEnd}, Ints{0});
    const OnnxValue start = filledTo(ctx, type, reduction == "mul" ? 1 : 0, emit::concat(ctx, {more, rest}, 0));
    Shape dims = ctx.shape(segments.rows);
    dims.front() = Dim();
    ctx.onnx.refine(start, dims);
    const OnnxValue joined = ctx.emit("ScatterND", {start, emit::unsqueeze(ctx, numbers, {1}), segments.rows},
                                      {{"reduction", std::string(reduction)}});
    return emit::slice(ctx, joined, ctx.onnx.ints({0}), segments.count, ctx.onnx.ints({0}));
}

/// Every segment against every row (segments, rows, ...), reduced over the rows. `start` is what a row of another
/// segment counts for.
OnnxValue masked(const NodeContext& ctx, const Segments& segments, std::string_view op, double start)
{
    const OnnxValue numbers = emit::unsqueeze(ctx, countTo(ctx, segments.count), {1});
    const OnnxValue isIn = besideRows(ctx, ctx.emit("Equal", {numbers, segments.numbers}), segments.rows);
    const OnnxValue rows = emit::unsqueeze(ctx, segments.rows, {0});
    const OnnxValue kept = choose(ctx, isIn, rows, emit::scalarLike(ctx, rows, start));
    return reducedAlong(ctx, op, kept, {1}, false);
}

} // namespace

OnnxValue segmentSum(const NodeContext& ctx, const Segments& segments)
{
    return ctx.onnx.opset() >= 16 ? scattered(ctx, segments, "add") : masked(ctx, segments, "ReduceSum", 0);
}

OnnxValue segmentProduct(const NodeContext& ctx, const Segments& segments)
{
    return ctx.onnx.opset() >= 16 ? scattered(ctx, segments, "mul") : masked(ctx, segments, "ReduceProd", 1);
}

namespace {

/// How many rows each segment has, at least 1, in the rows' type and beside them.
OnnxValue lengths(const NodeContext& ctx, const Segments& segments)
{
    const OnnxValue ones = filledTo(ctx, ctx.element(segments.rows), 1, emit::shapeVector(ctx, segments.numbers));
    const OnnxValue count = segmentSum(ctx, {ones, segments.numbers, segments.count});
    return besideRows(ctx, arithmetic::maximum(ctx, count, emit::scalarLike(ctx, count, 1)), segments.rows);
}

OnnxValue extreme(const NodeContext& ctx, const Segments& segments, std::string_view op, bool isZeroWhenEmpty)
{
    const bool isMaximum = op == "ReduceMax";
    const ElementType own = segments.own == ElementType::Undefined ? ctx.element(segments.rows) : segments.own;
    const double weakest = isMaximum ? lowestNumber(own) : highestNumber(own);
    if (!isZeroWhenEmpty) {
        // The limit is an element of every segment: infinities do not pass it.
        const OnnxValue found = masked(ctx, segments, op, weakest);
        const OnnxValue last = emit::scalarLike(ctx, found, weakest);
        return isMaximum ? arithmetic::maximum(ctx, found, last) : arithmetic::minimum(ctx, found, last);
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double neutral = !isFloating(own) ? weakest : isMaximum ? -infinity : infinity;
    const OnnxValue found = masked(ctx, segments, op, neutral);
    const OnnxValue isIn =
        ctx.emit("Equal", {emit::unsqueeze(ctx, countTo(ctx, segments.count), {1}), segments.numbers});
    const OnnxValue count = emit::reduce(ctx, "ReduceMax", emit::cast(ctx, isIn, ElementType::Int32), {1}, false);
    const OnnxValue hasRows = besideRows(ctx, emit::cast(ctx, count, ElementType::Bool), segments.rows);
    return choose(ctx, hasRows, found, emit::scalarLike(ctx, found, segments.zero));
}

} // namespace

OnnxValue segmentMean(const NodeContext& ctx, const Segments& segments)
{
    OnnxValue sum = segmentSum(ctx, segments);
    if (segments.own != ElementType::Undefined && isInteger(segments.own)) { // the sum wraps in its own type
        sum = emit::cast(ctx, emit::cast(ctx, sum, segments.own), ctx.element(sum));
    }
    return ctx.emit("Div", {sum, lengths(ctx, segments)});
}

OnnxValue segmentSumOverRoot(const NodeContext& ctx, const Segments& segments)
{
    return ctx.emit("Div", {segmentSum(ctx, segments), ctx.emit("Sqrt", {lengths(ctx, segments)})});
}

OnnxValue segmentMaximum(const NodeContext& ctx, const Segments& segments, bool isZeroWhenEmpty)
{
    return extreme(ctx, segments, "ReduceMax", isZeroWhenEmpty);
}

OnnxValue segmentMinimum(const NodeContext& ctx, const Segments& segments, bool isZeroWhenEmpty)
{
    return extreme(ctx, segments, "ReduceMin", isZeroWhenEmpty);
}

} // namespace crosswalk::forms
