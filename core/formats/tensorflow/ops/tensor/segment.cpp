// Reductions of the rows of a tensor by segment number: Segment*, UnsortedSegment* and SparseSegment*.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/tensor/segments.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <limits>

namespace crosswalk::tensorflow {
namespace {

/// One above the number of the last row, which is the largest: the numbers ascend.
OnnxValue segmentCount(const NodeContext& ctx, OnnxValue numbers)
{
    // -1 in front: an empty tensor has no segments.
    const OnnxValue all = emit::concat(ctx, {ctx.onnx.ints({-1}), numbers}, 0);
    const OnnxValue last = emit::slice(ctx, all, Ints{-1}, Ints{emit::farEnd}, Ints{0});
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
    const OnnxValue rest =
        emit::slice(ctx, emit::shapeVector(ctx, segments.rows), Ints{first}, Ints{emit::farEnd}, Ints{0});
    segments.rows = emit::reshape(ctx, segments.rows, emit::concat(ctx, {ctx.onnx.ints({-1}), rest}, 0));
    segments.numbers = emit::reshape(ctx, segments.numbers, Ints{-1});
    return segments;
}

Segments sorted(const NodeContext& ctx)
{
    const OnnxValue numbers = asInt64(ctx, ctx.input(1));
    return {ctx.input(0), numbers, segmentCount(ctx, numbers)};
}

/// A negative number drops the row.
Segments unsorted(const NodeContext& ctx)
{
    return flattened(ctx, {ctx.input(0), asInt64(ctx, ctx.input(1)), intVector(ctx, ctx.input(2))});
}

/// Rows picked by indices.
Segments sparse(const NodeContext& ctx)
{
    const OnnxValue rows = emit::gather(ctx, ctx.input(0), asInt64(ctx, ctx.input(1)), 0);
    const OnnxValue numbers = asInt64(ctx, ctx.input(2));
    return {rows, numbers, ctx.hasInput(3) ? intVector(ctx, ctx.input(3)) : segmentCount(ctx, numbers)};
}

Segments widen(const NodeContext& ctx, Segments segments)
{
    // ONNX Runtime adds no half precision in ScatterND.
    segments.own = ctx.element(segments.rows);
    const bool isHalf = segments.own == ElementType::Float16;
    segments.rows = emit::cast(ctx, segments.rows, isHalf ? ElementType::Float32 : widened(segments.own));
    return segments;
}

OnnxValue sortedMaximum(const NodeContext& ctx, const Segments& segments)
{
    return segmentMaximum(ctx, segments, true);
}

OnnxValue sortedMinimum(const NodeContext& ctx, const Segments& segments)
{
    return segmentMinimum(ctx, segments, true);
}

OnnxValue maximum(const NodeContext& ctx, const Segments& segments)
{
    return segmentMaximum(ctx, segments, false);
}

OnnxValue minimum(const NodeContext& ctx, const Segments& segments)
{
    return segmentMinimum(ctx, segments, false);
}

template <auto segmentsOf, auto join>
OnnxValues joinedSegments(NodeContext& ctx)
{
    const ElementType type = ctx.element(ctx.input(0));
    return {emit::cast(ctx, join(ctx, widen(ctx, segmentsOf(ctx))), type)};
}

/// The same for extremes, which uint64 has in the order of int64.
template <auto segmentsOf, auto join>
OnnxValues extremeSegments(NodeContext& ctx)
{
    const ElementType type = ctx.element(ctx.input(0));
    if (isFloating(type)) {
        ctx.note("nan-order",
                 "the extreme of a segment that contains NaN depends on the order of its rows in TensorFlow, "
                 "and is undefined in the exported model");
    }
    if (type != ElementType::UInt64) {
        return joinedSegments<segmentsOf, join>(ctx);
    }
    Segments segments = segmentsOf(ctx);
    segments.rows = arithmetic::orderedInt64(ctx, segments.rows);
    segments.zero = static_cast<double>(std::numeric_limits<std::int64_t>::min());
    return {arithmetic::fromOrderedInt64(ctx, join(ctx, segments), type)};
}

} // namespace

std::span<const OpRow> segmentOps()
{
    static constexpr OpRow rows[] = {
        {"SegmentMax", extremeSegments<sorted, sortedMaximum>, "Equal, Where, ReduceMax"},
        {"SegmentMaxV2", extremeSegments<unsorted, maximum>, "Equal, Where, ReduceMax"},
        {"SegmentMean", joinedSegments<sorted, segmentMean>, "ScatterND, Div"},
        {"SegmentMin", extremeSegments<sorted, sortedMinimum>, "Equal, Where, ReduceMin"},
        {"SegmentMinV2", extremeSegments<unsorted, minimum>, "Equal, Where, ReduceMin"},
        {"SegmentProd", joinedSegments<sorted, segmentProduct>, "ScatterND"},
        {"SegmentProdV2", joinedSegments<unsorted, segmentProduct>, "ScatterND"},
        {"SegmentSum", joinedSegments<sorted, segmentSum>, "ScatterND"},
        {"SegmentSumV2", joinedSegments<unsorted, segmentSum>, "ScatterND"},
        {"SparseSegmentMean", joinedSegments<sparse, segmentMean>, "Gather, ScatterND, Div"},
        {"SparseSegmentMeanWithNumSegments", joinedSegments<sparse, segmentMean>, "Gather, ScatterND, Div"},
        {"SparseSegmentSqrtN", joinedSegments<sparse, segmentSumOverRoot>, "Gather, ScatterND, Div"},
        {"SparseSegmentSqrtNWithNumSegments", joinedSegments<sparse, segmentSumOverRoot>, "Gather, ScatterND, Div"},
        {"SparseSegmentSum", joinedSegments<sparse, segmentSum>, "Gather, ScatterND"},
        {"SparseSegmentSumWithNumSegments", joinedSegments<sparse, segmentSum>, "Gather, ScatterND"},
        {"UnsortedSegmentMax", extremeSegments<unsorted, maximum>, "Equal, Where, ReduceMax"},
        {"UnsortedSegmentMin", extremeSegments<unsorted, minimum>, "Equal, Where, ReduceMin"},
        {"UnsortedSegmentProd", joinedSegments<unsorted, segmentProduct>, "ScatterND"},
        {"UnsortedSegmentSum", joinedSegments<unsorted, segmentSum>, "ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
