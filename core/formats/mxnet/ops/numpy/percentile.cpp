// Percentiles.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/axes.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// The sorted elements of some axes on the first axis, followed by the other axes.
struct Sorted {
    OnnxValue values;
    OnnxValue last; ///< the last index, a scalar of type int64
};

Sorted sorted(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    ShapeTerms terms{axes.empty() ? fixedTerm(1) : termOf(ctx, x, axes)};
    Ints order = axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (std::find(axes.begin(), axes.end(), i) == axes.end()) {
            order.push_back(i);
            terms.push_back(termOf(ctx, x, {i}));
        }
    }
    const OnnxValue flat = reshapeTo(ctx, emit::transpose(ctx, x, order), terms, "axis");
    const OnnxValue size = emit::dimVector(ctx, flat, 0);
    const OnnxValue values = ctx.onnx.add("TopK", {flat, size}, {{"axis", 0}, {"largest", 0}, {"sorted", 1}}, 2)[0];
    const OnnxValue count = emit::squeeze(ctx, size, {0});
    if (const Tensor* known = ctx.onnx.content(count)) {
        const auto last = static_cast<double>(known->toInts().front() - 1);
        return {values, ctx.onnx.scalar(ElementType::Int64, last)};
    }
    return {values, ctx.emit("Sub", {count, ctx.onnx.scalar(ElementType::Int64, 1)})};
}

/// q (n - 1) / 100, rounded as in MXNet: the product in q's type, the result to single precision.
OnnxValue placeOf(const NodeContext& ctx, OnnxValue q, OnnxValue last)
{
    const OnnxValue scaled = ctx.emit("Mul", {q, emit::cast(ctx, last, ctx.element(q))});
    const OnnxValue wide = emit::cast(ctx, scaled, ElementType::Float64);
    return emit::cast(ctx, ctx.emit("Div", {wide, emit::scalarLike(ctx, wide, 100)}), ElementType::Float32);
}

OnnxValues percentile(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue source = ctx.input(0);
    const ElementType to = ctx.element(source) == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
    const Ints axes = numpyAxes(ctx, source);
    const auto number = attributes.optionalNumber("q_scalar");
    const std::string mode =
        attributes.choice("interpolation", {"linear", "lower", "higher", "midpoint", "nearest"}, "linear");
    OnnxValue q = number ? ctx.onnx.scalar(ElementType::Float64, *number) : ctx.input(1);
    q = isFloating(ctx.element(q)) ? q : emit::cast(ctx, q, ElementType::Float64);
    q = ctx.element(q) == ElementType::Float16 ? emit::cast(ctx, q, ElementType::Float32) : q;
    const Sorted order = sorted(ctx, emit::cast(ctx, source, to), axes);
    const OnnxValue place = placeOf(ctx, q, order.last);
    const auto at = [&](OnnxValue where) {
        return emit::gather(ctx, order.values, emit::cast(ctx, where, ElementType::Int64), 0);
    };
    const auto rank = static_cast<std::int64_t>(ctx.rank(q));
    OnnxValue found;
    if (mode == "lower" || mode == "higher") {
        found = at(ctx.emit(mode == "lower" ? "Floor" : "Ceil", {place}));
    } else if (mode == "nearest") {
        found = at(elementary::roundAwayFromZero(ctx, place));
    } else {
        const OnnxValue below = ctx.emit("Floor", {place});
        const OnnxValue middle = mode == "linear"
                                     ? place
                                     : ctx.emit("Div", {ctx.emit("Add", {below, ctx.emit("Ceil", {place})}),
                                                        emit::scalarLike(ctx, place, 2)});
        const OnnxValue above = ctx.emit("Min", {ctx.emit("Add", {below, emit::scalarLike(ctx, below, 1)}),
                                                 emit::cast(ctx, order.last, ElementType::Float32)});
        Ints trailing(ctx.rank(order.values) - 1);
        std::iota(trailing.begin(), trailing.end(), rank);
        const OnnxValue weight = emit::unsqueeze(ctx, ctx.emit("Sub", {middle, below}), trailing);
        const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, weight, 1), weight});
        found = ctx.emit("Add", {ctx.emit("Mul", {at(below), emit::cast(ctx, rest, to)}),
                                 ctx.emit("Mul", {at(above), emit::cast(ctx, weight, to)})});
    }
    if (attributes.boolean("keepdims", false)) {
        Ints kept;
        std::transform(axes.begin(), axes.end(), std::back_inserter(kept), [&](auto axis) { return axis + rank; });
        found = emit::unsqueeze(ctx, found, kept);
    }
    return {found};
}

} // namespace

std::span<const OpRow> numpyPercentileOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_percentile", percentile, "TopK, Gather, Mul, Add"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
