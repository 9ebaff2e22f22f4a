// _histogram: how many numbers fall into each bin.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::int64_t mostBins = 1 << 20;

OnnxValue between(const NodeContext& ctx, OnnxValue x, OnnxValue low, OnnxValue high)
{
    return ctx.emit("And", {arithmetic::greaterOrEqual(ctx, x, low), arithmetic::lessOrEqual(ctx, x, high)});
}

/// Counts each number from 0 to `bins` - 1 in `places` (any number, 1) where `counts` is true.
OnnxValue occurrences(const NodeContext& ctx, OnnxValue places, OnnxValue counts, OnnxValue bins)
{
    const OnnxValue hits = ctx.emit("And", {ctx.emit("Equal", {places, bins}), counts});
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, hits, ElementType::Int64), {0}, false);
}

OnnxValue column(const NodeContext& ctx, OnnxValue x)
{
    return emit::reshape(ctx, x, Ints{-1, 1});
}

/// Bins of equal width. MXNet computes the bin of a number in double precision, and corrects it by one if it
/// contradicts the bounds, which have the type of the data.
OnnxValues ofOneWidth(const NodeContext& ctx, std::int64_t count, double low, double high)
{
    if (count < 1 || count > mostBins || !(low < high)) {
        ctx.invalid(fmt::format("{} bins from {} to {}", count, low, high), "bin_cnt");
    }
    const OnnxValue x = column(ctx, ctx.input(0));
    std::vector<double> bounds;
    for (std::int64_t i = 0; i <= count; ++i) {
        bounds.push_back((high * static_cast<double>(i) + static_cast<double>(count - i) * low) /
                         static_cast<double>(count));
    }
    const Tensor stored = Tensor::of<double>(ElementType::Float64, {count + 1}, bounds).converted(ctx.element(x));
    const OnnxValue said = ctx.onnx.constant(stored);
    const OnnxValue compared = ctx.onnx.constant(stored.converted(ElementType::Float64));
    const auto number = [&](double value) { return ctx.onnx.scalar(ElementType::Float64, value); };
    const auto integer = [&](std::int64_t value) {
        return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
    };
    const OnnxValue wide = emit::cast(ctx, x, ElementType::Float64);
    const OnnxValue inRange = between(ctx, wide, number(low), number(high));
    const OnnxValue held = ctx.emit("Where", {inRange, wide, number(low)});
    const OnnxValue scaled =
        ctx.emit("Mul", {ctx.emit("Sub", {held, number(low)}), number(static_cast<double>(count))});
    OnnxValue place = emit::cast(ctx, ctx.emit("Div", {scaled, number(high - low)}), ElementType::Int64);
    place = ctx.emit("Where", {ctx.emit("Less", {place, integer(count)}), place, integer(count - 1)});
    const auto bound = [&](std::int64_t further) {
        const OnnxValue at = further == 0 ? place : ctx.emit("Add", {place, integer(further)});
        return emit::gather(ctx, compared, at, 0);
    };
    const auto asNumber = [&](OnnxValue condition) { return emit::cast(ctx, condition, ElementType::Int64); };
    const OnnxValue isBelow = ctx.emit("Less", {held, bound(0)});
    // The second correction starts from the result of the first, which may be before the first bin.
    const OnnxValue moved = ctx.emit("Sub", {place, asNumber(isBelow)});
    const OnnxValue next = emit::gather(ctx, compared, ctx.emit("Add", {moved, integer(1)}), 0);
    const OnnxValue isLast = ctx.emit("Equal", {moved, integer(count - 1)});
    const OnnxValue isAbove = ctx.emit("And", {arithmetic::greaterOrEqual(ctx, held, next), ctx.emit("Not", {isLast})});
    return {occurrences(ctx, ctx.emit("Add", {moved, asNumber(isAbove)}), inRange, countTo(ctx, count)), said};
}

/// Bins between ascending bounds.
OnnxValues betweenBounds(const NodeContext& ctx)
{
    const OnnxValue bounds = ctx.input(1);
    const std::int64_t count = ctx.fixedDim(bounds, 0) - 1;
    if (ctx.rank(bounds) != 1 || count < 1 || count > mostBins || ctx.element(bounds) != ctx.element(ctx.input(0))) {
        ctx.invalid("the bounds must be a vector of at least two numbers, of the type of the data");
    }
    const OnnxValue x = emit::cast(ctx, column(ctx, ctx.input(0)), ElementType::Float64);
    const OnnxValue edges = emit::cast(ctx, bounds, ElementType::Float64);
    const auto edge = [&](std::int64_t i) { return emit::slice(ctx, edges, Ints{i}, Ints{i + 1}, Ints{0}); };
    const OnnxValue reached = emit::cast(ctx, arithmetic::greaterOrEqual(ctx, x, edges), ElementType::Int64);
    const OnnxValue passed = emit::reduce(ctx, "ReduceSum", reached, {1}, true);
    const OnnxValue last = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(count));
    const OnnxValue held = ctx.emit("Where", {ctx.emit("Less", {passed, last}), passed, last});
    const OnnxValue place = ctx.emit("Sub", {held, ctx.onnx.scalar(ElementType::Int64, 1)});
    return {occurrences(ctx, place, between(ctx, x, edge(0), edge(count)), countTo(ctx, count)), bounds};
}

OnnxValues histogram(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    if (attributes.has("bin_cnt") != attributes.has("range")) {
        ctx.invalid("bin_cnt and range require each other", "bin_cnt");
    }
    if (!attributes.has("bin_cnt")) {
        return betweenBounds(ctx);
    }
    const std::vector<double> range = attributes.numbers("range");
    if (range.size() != 2) {
        ctx.invalid("range must be a pair of numbers", "range");
    }
    return ofOneWidth(ctx, attributes.integer("bin_cnt"), range[0], range[1]);
}

} // namespace

std::span<const OpRow> histogramOps()
{
    static constexpr OpRow rows[] = {
        {"_histogram", histogram, "Div, Gather, Equal, ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
