// Operations of Keras 3 that place, count and look up elements by their values.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/segments.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

OnnxValue asInt64(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, ElementType::Int64);
}

void requireReduction(const Layer& layer)
{
    if (layer.ctx.onnx.opset() < 16) {
        layer.refuse("elements added or compared at indices", {}, "choose opset 16 or newer");
    }
}

/// Zeros with the values added at indices (..., axes).
OnnxValues scatter(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    requireReduction(layer);
    const Arguments arguments(layer);
    const OnnxValue values = arguments.tensor({"1", "values", "updates"});
    const OnnxValue indices = asInt64(ctx, arguments.tensor({"0", "indices"}, ElementType::Int64));
    const Ints shape = arguments.ints({"shape", "2"});
    const OnnxValue zeros = filled(ctx, ctx.element(values), shape, 0);
    return {ctx.emit("ScatterND", {zeros, indices, values}, {{"reduction", "add"}})};
}

/// x with elements replaced, or changed by a reduction.
OnnxValues update(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = arguments.tensor({"0", "inputs", "tensor"});
    const OnnxValue indices = asInt64(ctx, arguments.tensor({"1", "indices"}, ElementType::Int64));
    const OnnxValue updates = emit::cast(ctx, arguments.tensor({"2", "updates"}, ctx.element(x)), ctx.element(x));
    const std::string reduction = arguments.text({"reduction"}, "none");
    if (reduction != "none" && reduction != "add" && reduction != "mul" && reduction != "max" && reduction != "min") {
        layer.refuse(fmt::format("updates by {}", reduction), "reduction");
    }
    if (reduction != "none") {
        requireReduction(layer);
    }
    return {ctx.emit("ScatterND", {x, indices, updates},
                     reduction == "none" ? OnnxAttributes() : OnnxAttributes{{"reduction", reduction}})};
}

OnnxValues gatherElements(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    if (arguments.integer({"batch_dims"}, 0) != 0) {
        layer.refuse("a gather with batch_dims", "batch_dims");
    }
    return {ctx.emit("GatherND", {arguments.tensor({"0", "params"}),
                                  asInt64(ctx, arguments.tensor({"1", "indices"}, ElementType::Int64))})};
}

// Segments.

using Reduction = OnnxValue (*)(const NodeContext& ctx, const Segments& segments);

OnnxValue largest(const NodeContext& ctx, const Segments& segments)
{
    return segmentMaximum(ctx, segments, false);
}

OnnxValue smallest(const NodeContext& ctx, const Segments& segments)
{
    return segmentMinimum(ctx, segments, false);
}

/// The number of segments is a setting in Keras 3.
template <Reduction reduction>
OnnxValues segments(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue rows = arguments.tensor({"0", "data"});
    if (!arguments.has({"num_segments", "2"})) {
        layer.refuse("segments whose number depends on the data", "num_segments", "set num_segments");
    }
    const std::int64_t count = arguments.integer({"num_segments", "2"});
    const OnnxValue numbers = asInt64(ctx, arguments.tensor({"1", "segment_ids"}, ElementType::Int64));
    if (ctx.rank(numbers) != 1 || count < 1) {
        layer.refuse("segments of other than rows", "segment_ids");
    }
    // Numbers out of range are left out, as negative ones.
    const OnnxValue isInside =
        ctx.emit("Less", {numbers, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(count))});
    const OnnxValue valid = ctx.emit("Where", {isInside, numbers, ctx.onnx.scalar(ElementType::Int64, -1)});
    return {reduction(ctx, {.rows = rows, .numbers = valid, .count = ctx.onnx.ints({count})})};
}

// Places and counts.

/// The number of boundaries, on a new last axis, that are below each value, or not above it.
OnnxValue placeAmong(const NodeContext& ctx, OnnxValue boundaries, OnnxValue x, bool isRight)
{
    const auto axis = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue wide = emit::unsqueeze(ctx, x, {axis});
    const OnnxValue isPassed =
        isRight ? arithmetic::greaterOrEqual(ctx, wide, boundaries) : arithmetic::greater(ctx, wide, boundaries);
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isPassed, ElementType::Int32), {axis}, false);
}

OnnxValues searchSorted(const Layer& layer)
{
    const Arguments arguments(layer);
    const Operands pair = operandsOf(layer, {"0", "sorted_sequence"}, {"1", "values"});
    if (layer.ctx.rank(pair.a) != 1) {
        layer.refuse("a search in other than one sorted sequence", "sorted_sequence");
    }
    return {placeAmong(layer.ctx, pair.a, pair.b, arguments.text({"side"}, "left") == "right")};
}

OnnxValues digitize(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = operand(layer);
    const bool isReal = isFloating(ctx.element(given));
    const OnnxValue x = isReal ? given : emit::cast(ctx, given, ElementType::Float32);
    const OnnxValue bins = Arguments(layer).tensor({"1", "bins"}, ctx.element(x));
    return {placeAmong(ctx, emit::cast(ctx, bins, ctx.element(x)), x, true)};
}

/// Whether each element is one of the others.
OnnxValues isIn(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    const auto axis = static_cast<std::int64_t>(ctx.rank(pair.a));
    const OnnxValue others = emit::reshape(ctx, pair.b, Ints{-1});
    const OnnxValue isEqual = arithmetic::equal(ctx, emit::unsqueeze(ctx, pair.a, {axis}), others);
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isEqual, ElementType::Int32), {axis}, false);
    const OnnxValue isFound = emit::cast(ctx, count, ElementType::Bool);
    return {Arguments(layer).boolean({"invert"}, false) ? ctx.emit("Not", {isFound}) : isFound};
}

/// Which classes are among the elements of an axis.
OnnxValues multiHot(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue ids = asInt64(ctx, arguments.tensor({"0", "inputs", "x"}));
    const std::int64_t count = arguments.integer({"num_classes", "num_tokens", "1"});
    if (arguments.boolean({"sparse"}, false)) {
        layer.refuse("a sparse result", "sparse");
    }
    if (arguments.integer({"axis"}, -1) != -1) {
        layer.refuse("classes on an axis that is not the last", "axis");
    }
    const auto rank = static_cast<std::int64_t>(ctx.rank(ids));
    const OnnxValue isClass = ctx.emit("Equal", {emit::unsqueeze(ctx, ids, {rank}), countTo(ctx, count)});
    const OnnxValue numbers = emit::cast(ctx, isClass, ElementType::Float32);
    // Keras reduces the second axis if there are several elements for each sample.
    const OnnxValue any = rank < 2 ? numbers : emit::reduce(ctx, "ReduceMax", numbers, {1}, false);
    return {emit::cast(ctx, any, arguments.type({"dtype"}).value_or(ElementType::Float32))};
}

/// Whether the target is among the k largest predictions.
OnnxValues inTopK(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue targets = asInt64(ctx, arguments.tensor({"0", "targets"}, ElementType::Int64));
    const OnnxValue predictions = arguments.tensor({"1", "predictions"});
    const std::int64_t k = arguments.integer({"k", "2"});
    const OnnxValue own = ctx.emit("GatherElements", {predictions, emit::unsqueeze(ctx, targets, {1})}, {{"axis", 1}});
    const OnnxValue isAbove = emit::cast(ctx, ctx.emit("Greater", {predictions, own}), ElementType::Int32);
    const OnnxValue above = emit::reduce(ctx, "ReduceSum", isAbove, {1}, false);
    return {ctx.emit("Less", {above, ctx.onnx.scalar(ElementType::Int32, static_cast<double>(k))})};
}

/// Places that put the k-th element where sorting would; sorting does it too.
OnnxValues partitionPlaces(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const auto [x, axis] = alongAxis(layer, operand(layer), {"axis"});
    const OnnxValue wide = emit::cast(ctx, x, widened(ctx.element(x)));
    const OnnxValues found =
        ctx.onnx.add("TopK", {wide, emit::dimVector(ctx, x, axis)}, {{"axis", axis}, {"largest", 0}, {"sorted", 1}}, 2);
    return {emit::cast(ctx, found[1], ElementType::Int32)};
}
} // namespace

std::span<const OpRow> scatterOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.Argpartition", partitionPlaces, "TopK"},
        {"ops.Digitize", digitize, "Greater, ReduceSum"},
        {"ops.InTopK", inTopK, "GatherElements, ReduceSum"},
        {"ops.IsIn", isIn, "Equal, ReduceSum"},
        {"ops.MultiHot", multiHot, "Equal, ReduceMax"},
        {"ops.Scatter", scatter, "ScatterND"},
        {"ops.ScatterUpdate", update, "ScatterND"},
        {"ops.SearchSorted", searchSorted, "Greater, ReduceSum"},
        {"ops.SegmentMax", segments<largest>, "ScatterND"},
        {"ops.SegmentMin", segments<smallest>, "ScatterND"},
        {"ops.SegmentProd", segments<segmentProduct>, "ScatterND"},
        {"ops.SegmentSum", segments<segmentSum>, "ScatterND"},
        {"tf.gather_nd", gatherElements, "GatherND"},
        {"tf.math.unsorted_segment_max", segments<largest>, "ScatterND"},
        {"tf.math.unsorted_segment_min", segments<smallest>, "ScatterND"},
        {"tf.math.unsorted_segment_prod", segments<segmentProduct>, "ScatterND"},
        {"tf.math.unsorted_segment_sum", segments<segmentSum>, "ScatterND"},
        {"tf.tensor_scatter_nd_update", update, "ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::keras
