// Rows of a tensor joined by the number of their segment: Segment*, UnsortedSegment* and SparseSegment*.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <limits>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

constexpr std::int64_t farEnd = std::numeric_limits<std::int64_t>::max();

/// Rows and where they go: int64 numbers, as many as rows, below `count`, an int64 vector of one element.
struct Segments {
    OnnxValue rows;
    OnnxValue numbers;
    OnnxValue count;
};

/// One above the number of the last row, which is the largest: the numbers ascend.
OnnxValue countOf(const NodeContext& ctx, OnnxValue numbers)
{
    const OnnxValue last = emit::slice(ctx, numbers, Ints{-1}, Ints{farEnd}, Ints{0});
    return ctx.emit("Add", {last, ctx.onnx.ints({1})});
}

/// Numbers of several dimensions as one, the rows' first dimensions too.
Segments flattened(const NodeContext& ctx, Segments segments)
{
    const std::size_t rank = ctx.rank(segments.numbers);
    if (rank == 1) {
        return segments;
    }
    const auto first = static_cast<std::int64_t>(rank);
    const OnnxValue rest = emit::slice(ctx, emit::shapeVector(ctx, segments.rows), Ints{first}, Ints{farEnd}, Ints{0});
    segments.rows = emit::reshape(ctx, segments.rows, emit::concat(ctx, {ctx.onnx.ints({-1}), rest}, 0));
    segments.numbers = emit::reshape(ctx, segments.numbers, Ints{-1});
    return segments;
}

Segments sorted(const NodeContext& ctx)
{
    const OnnxValue numbers = asInt64(ctx, ctx.input(1));
    return {ctx.input(0), numbers, countOf(ctx, numbers)};
}

/// A negative number takes the row out.
Segments unsorted(const NodeContext& ctx)
{
    return flattened(ctx, {ctx.input(0), asInt64(ctx, ctx.input(1)), intVector(ctx, ctx.input(2))});
}

/// Rows picked by indices.
Segments sparse(const NodeContext& ctx)
{
    const OnnxValue rows = emit::gather(ctx, ctx.input(0), asInt64(ctx, ctx.input(1)), 0);
    const OnnxValue numbers = asInt64(ctx, ctx.input(2));
    return {rows, numbers, ctx.hasInput(3) ? intVector(ctx, ctx.input(3)) : countOf(ctx, numbers)};
}

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
    const OnnxValue rest = emit::slice(ctx, emit::shapeVector(ctx, segments.rows), Ints{1}, Ints{farEnd}, Ints{0});
    const OnnxValue start = filledTo(ctx, type, reduction == "mul" ? 1 : 0, emit::concat(ctx, {more, rest}, 0));
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
    return emit::reduce(ctx, op, kept, {1}, false);
}

Segments widen(const NodeContext& ctx, Segments segments)
{
    segments.rows = emit::cast(ctx, segments.rows, widened(ctx.element(segments.rows)));
    return segments;
}

OnnxValue sum(const NodeContext& ctx, const Segments& segments)
{
    return ctx.onnx.opset() >= 16 ? scattered(ctx, segments, "add") : masked(ctx, segments, "ReduceSum", 0);
}

OnnxValue product(const NodeContext& ctx, const Segments& segments)
{
    return ctx.onnx.opset() >= 16 ? scattered(ctx, segments, "mul") : masked(ctx, segments, "ReduceProd", 1);
}

/// How many rows each segment has, at least 1, in the rows' type and beside them.
OnnxValue lengths(const NodeContext& ctx, const Segments& segments)
{
    const OnnxValue ones = filledTo(ctx, ctx.element(segments.rows), 1, emit::shapeVector(ctx, segments.numbers));
    const OnnxValue count = sum(ctx, {ones, segments.numbers, segments.count});
    return besideRows(ctx, arithmetic::maximum(ctx, count, emit::scalarLike(ctx, count, 1)), segments.rows);
}

OnnxValue mean(const NodeContext& ctx, const Segments& segments)
{
    return ctx.emit("Div", {sum(ctx, segments), lengths(ctx, segments)});
}

OnnxValue sumOverRoot(const NodeContext& ctx, const Segments& segments)
{
    return ctx.emit("Div", {sum(ctx, segments), ctx.emit("Sqrt", {lengths(ctx, segments)})});
}

double limit(ElementType type, bool isLowest)
{
    const auto of = [&](auto number) {
        using Limits = std::numeric_limits<decltype(number)>;
        return static_cast<double>(isLowest ? Limits::lowest() : Limits::max());
    };
    switch (type) {
    case ElementType::Int32:
        return of(std::int32_t{});
    case ElementType::Int64:
        return of(std::int64_t{});
    case ElementType::Float64:
        return of(double{});
    case ElementType::Float16:
        return isLowest ? -65504 : 65504;
    default:
        return of(float{});
    }
}

/// A segment without rows has the type's lowest or highest number, where the numbers ascend 0.
OnnxValue extreme(const NodeContext& ctx, const Segments& segments, std::string_view op, bool isZeroWhenEmpty)
{
    const double start = limit(ctx.element(segments.rows), op == "ReduceMax");
    const OnnxValue found = masked(ctx, segments, op, start);
    if (!isZeroWhenEmpty) {
        return found;
    }
    const OnnxValue isIn =
        ctx.emit("Equal", {emit::unsqueeze(ctx, countTo(ctx, segments.count), {1}), segments.numbers});
    const OnnxValue count = emit::reduce(ctx, "ReduceMax", emit::cast(ctx, isIn, ElementType::Int32), {1}, false);
    const OnnxValue hasRows = besideRows(ctx, emit::cast(ctx, count, ElementType::Bool), segments.rows);
    return choose(ctx, hasRows, found, emit::scalarLike(ctx, found, 0));
}

OnnxValue sortedMaximum(const NodeContext& ctx, const Segments& segments)
{
    return extreme(ctx, segments, "ReduceMax", true);
}

OnnxValue sortedMinimum(const NodeContext& ctx, const Segments& segments)
{
    return extreme(ctx, segments, "ReduceMin", true);
}

OnnxValue maximum(const NodeContext& ctx, const Segments& segments)
{
    return extreme(ctx, segments, "ReduceMax", false);
}

OnnxValue minimum(const NodeContext& ctx, const Segments& segments)
{
    return extreme(ctx, segments, "ReduceMin", false);
}

template <auto segmentsOf, auto join>
OnnxValues joined(NodeContext& ctx)
{
    const ElementType type = ctx.element(ctx.input(0));
    return {emit::cast(ctx, join(ctx, widen(ctx, segmentsOf(ctx))), type)};
}

constexpr OpRow rows[] = {
    {"SegmentMax", joined<sorted, sortedMaximum>, "Equal, Where, ReduceMax"},
    {"SegmentMean", joined<sorted, mean>, "ScatterND, Div"},
    {"SegmentMin", joined<sorted, sortedMinimum>, "Equal, Where, ReduceMin"},
    {"SegmentProd", joined<sorted, product>, "ScatterND"},
    {"SegmentSum", joined<sorted, sum>, "ScatterND"},
    {"SparseSegmentMean", joined<sparse, mean>, "Gather, ScatterND, Div"},
    {"SparseSegmentMeanWithNumSegments", joined<sparse, mean>, "Gather, ScatterND, Div"},
    {"SparseSegmentSqrtN", joined<sparse, sumOverRoot>, "Gather, ScatterND, Div"},
    {"SparseSegmentSqrtNWithNumSegments", joined<sparse, sumOverRoot>, "Gather, ScatterND, Div"},
    {"SparseSegmentSum", joined<sparse, sum>, "Gather, ScatterND"},
    {"SparseSegmentSumWithNumSegments", joined<sparse, sum>, "Gather, ScatterND"},
    {"UnsortedSegmentMax", joined<unsorted, maximum>, "Equal, Where, ReduceMax"},
    {"UnsortedSegmentMin", joined<unsorted, minimum>, "Equal, Where, ReduceMin"},
    {"UnsortedSegmentProd", joined<unsorted, product>, "ScatterND"},
    {"UnsortedSegmentSum", joined<unsorted, sum>, "ScatterND"},
};

} // namespace

std::span<const OpRow> segmentOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
