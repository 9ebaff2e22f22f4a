// Places in sorted data: InTopK, NthElement, bounds and buckets, and the elements that another tensor lacks.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// How many along an axis of a bool tensor are true, int64.
OnnxValue trueCount(const NodeContext& ctx, OnnxValue marks, std::int64_t axis)
{
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, marks, ElementType::Int64), {axis}, false);
}

/// Whether fewer than k predictions of a row are larger than that of its target. A target out of range is not among
/// them, nor is any in a row with NaN or infinity.
OnnxValues inTop(const NodeContext& ctx, OnnxValue k)
{
    const OnnxValue predictions = ctx.input(0); // (rows, classes)
    const OnnxValue targets = asInt64(ctx, ctx.input(1));
    const OnnxValue classes = emit::dimVector(ctx, predictions, 1);
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue isTarget =
        ctx.emit("And", {ctx.emit("Not", {ctx.emit("Less", {targets, zero})}), ctx.emit("Less", {targets, classes})});
    const OnnxValue places = emit::unsqueeze(ctx, ctx.emit("Where", {isTarget, targets, zero}), {1});
    const OnnxValue own = ctx.emit("GatherElements", {predictions, places}, {{"axis", 1}});
    const OnnxValue larger = trueCount(ctx, ctx.emit("Greater", {predictions, own}), 1);
    const OnnxValue isOdd = ctx.emit("Or", {ctx.emit("IsNaN", {predictions}), ctx.emit("IsInf", {predictions})});
    const OnnxValue isFinite = ctx.emit("Equal", {trueCount(ctx, isOdd, 1), zero});
    return {ctx.emit("And", {ctx.emit("And", {isTarget, isFinite}), ctx.emit("Less", {larger, k})})};
}

OnnxValues inTopByAttribute(NodeContext& ctx)
{
    return inTop(ctx, ctx.onnx.ints({Settings(ctx).integer("k")}));
}

OnnxValues inTopByOperand(NodeContext& ctx)
{
    return inTop(ctx, intVector(ctx, ctx.input(2)));
}

/// The element at place n of each sorted row.
OnnxValues nthElement(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const OnnxValue n = intVector(ctx, ctx.input(1));
    const OnnxValue count = ctx.emit("Add", {n, ctx.onnx.ints({1})});
    const OnnxValues sorted =
        ctx.onnx.add("TopK", {arithmetic::sortable(ctx, x), count},
                     {{"axis", last}, {"largest", Settings(ctx).boolean("reverse")}, {"sorted", 1}}, 2);
    const OnnxValue found = emit::gather(ctx, sorted[0], scalarOf(ctx, n), last);
    return {arithmetic::fromOrderedInt64(ctx, found, own)};
}

/// The values and the sorted rows that they are searched in, each value beside a whole row: (rows, values, 1) and
/// (rows, 1, elements), in a type that ONNX compares at every opset.
struct Search {
    OnnxValue rows;
    OnnxValue values;
};

Search searchOf(const NodeContext& ctx)
{
    const ElementType type = widened(ctx.element(ctx.input(0)));
    return {emit::unsqueeze(ctx, emit::cast(ctx, ctx.input(0), type), {1}),
            emit::unsqueeze(ctx, emit::cast(ctx, ctx.input(1), type), {2})};
}

/// How many elements are below the value.
OnnxValues lowerBound(NodeContext& ctx)
{
    const Search search = searchOf(ctx);
    const OnnxValue isBelow = ctx.emit("Less", {search.rows, search.values});
    return {emit::cast(ctx, trueCount(ctx, isBelow, 2), Settings(ctx).elementType("out_type"))};
}

/// How many elements are not above the value.
OnnxValues upperBound(NodeContext& ctx)
{
    const Search search = searchOf(ctx);
    const OnnxValue isAbove = ctx.emit("Less", {search.values, search.rows});
    const OnnxValue count = trueCount(ctx, ctx.emit("Not", {isAbove}), 2);
    return {emit::cast(ctx, count, Settings(ctx).elementType("out_type"))};
}

/// How many boundaries are not above each element. They are single numbers; others are compared in double precision.
OnnxValues bucketize(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const auto* given = ctx.node.attribute("boundaries");
    std::vector<float> boundaries;
    if (const auto* numbers = std::get_if<std::vector<double>>(given)) {
        for (const double number : *numbers) {
            boundaries.push_back(static_cast<float>(number));
        }
    } else if (std::get_if<AttributeList>(given) == nullptr) {
        ctx.invalid("attribute boundaries is missing", "boundaries");
    }
    const ElementType type = ctx.element(x) == ElementType::Float32 ? ElementType::Float32 : ElementType::Float64;
    const OnnxValue bounds = ctx.onnx.constant(
        Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(boundaries.size())}, boundaries)
            .converted(type));
    const auto last = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue isAbove = ctx.emit("Less", {emit::unsqueeze(ctx, emit::cast(ctx, x, type), {last}), bounds});
    return {emit::cast(ctx, trueCount(ctx, ctx.emit("Not", {isAbove}), last), ElementType::Int32)};
}

/// The elements of x that are not in y, and their places.
OnnxValues listDifference(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) == ElementType::String && ctx.onnx.opset() < 19) {
        ctx.refuse("Equal of strings is available from opset 19", "T", "take --opset 19");
    }
    const OnnxValue isEqual =
        arithmetic::equal(ctx, emit::unsqueeze(ctx, x, {1}), emit::unsqueeze(ctx, ctx.input(1), {0}));
    const OnnxValue isMissing = ctx.emit("Equal", {trueCount(ctx, isEqual, 1), ctx.onnx.scalar(ElementType::Int64, 0)});
    const OnnxValue places = countTo(ctx, emit::shapeVector(ctx, x));
    const auto kept = [&](OnnxValue all) { return ctx.emit("Compress", {all, isMissing}, {{"axis", 0}}); };
    return {kept(x), emit::cast(ctx, kept(places), Settings(ctx).elementType("out_idx"))};
}

} // namespace

std::span<const OpRow> rankingOps()
{
    static constexpr OpRow rows[] = {
        {"Bucketize", bucketize, "Less, ReduceSum"},
        {"InTopK", inTopByAttribute, "GatherElements, Greater, ReduceSum"},
        {"InTopKV2", inTopByOperand, "GatherElements, Greater, ReduceSum"},
        {"ListDiff", listDifference, "Equal, ReduceSum, Compress"},
        {"LowerBound", lowerBound, "Less, ReduceSum"},
        {"NthElement", nthElement, "TopK, Gather"},
        {"UpperBound", upperBound, "Less, ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
