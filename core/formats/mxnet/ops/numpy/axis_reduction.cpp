// Sums, means, extremes and truths along axes by numpy's rules, and the indices of the extremes.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/axes.h"
#include "core/formats/mxnet/ops/numpy/type_promotion.h"
#include "core/formats/mxnet/ops/tensor/reduction.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {

Ints numpyAxes(const NodeContext& ctx, OnnxValue x)
{
    const Attributes attributes(ctx);
    const std::size_t rank = ctx.rank(x);
    Ints axes = attributes.ints("axis");
    if (!attributes.has("axis")) {
        axes.resize(rank);
        std::iota(axes.begin(), axes.end(), 0);
        return axes;
    }
    for (auto& axis : axes) {
        axis = ctx.axis(axis, std::max<std::size_t>(rank, 1));
    }
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) {
        ctx.invalid("an axis occurs twice", "axis");
    }
    return rank == 0 ? Ints{} : axes;
}

namespace {

bool keepsDims(const NodeContext& ctx)
{
    return Attributes(ctx).boolean("keepdims", false);
}

void expectNoInitial(const NodeContext& ctx)
{
    if (Attributes(ctx).has("initial")) {
        ctx.invalid("MXNet does not accept an initial value", "initial");
    }
}

/// The accumulation type for a sum of `from` as `to`: it can represent both.
ElementType accumulator(ElementType from, ElementType to)
{
    if (!isFloating(from) && !isFloating(to)) {
        return ElementType::Int64;
    }
    const bool isWide = byteSize(from) == 8 || byteSize(to) == 8;
    return isWide ? ElementType::Float64 : ElementType::Float32;
}

bool isKnownEmpty(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    const Shape& shape = ctx.shape(x);
    return std::any_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
        const Dim& dim = shape[static_cast<std::size_t>(axis)];
        return dim.isFixed() && dim.size == 0;
    });
}

/// A sum or product; int64 for bool.
OnnxValues accumulated(const NodeContext& ctx, std::string_view op)
{
    expectNoInitial(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType to = Attributes(ctx).elementType("dtype", own == ElementType::Bool ? ElementType::Int64 : own);
    const Ints axes = numpyAxes(ctx, x);
    if (op == "ReduceProd" && isKnownEmpty(ctx, x, axes)) { // an empty sum or product: MXNet returns 0
        const OnnxValue zeros =
            reducedAlong(ctx, "ReduceSum", emit::cast(ctx, x, ElementType::Int32), axes, keepsDims(ctx));
        return {emit::cast(ctx, zeros, to)};
    }
    const OnnxValue wide = own == to ? x : emit::cast(ctx, x, accumulator(own, to));
    return {emit::cast(ctx, reducedAlong(ctx, op, wide, axes, keepsDims(ctx)), to)};
}

OnnxValues sum(NodeContext& ctx)
{
    return accumulated(ctx, "ReduceSum");
}

OnnxValues reducedProduct(NodeContext& ctx)
{
    return accumulated(ctx, "ReduceProd");
}

OnnxValues reducedExtreme(const NodeContext& ctx, std::string_view op)
{
    expectNoInitial(ctx);
    return {reducedAlong(ctx, op, ctx.input(0), numpyAxes(ctx, ctx.input(0)), keepsDims(ctx))};
}

OnnxValues reducedMaximum(NodeContext& ctx)
{
    return reducedExtreme(ctx, "ReduceMax");
}

OnnxValues reducedMinimum(NodeContext& ctx)
{
    return reducedExtreme(ctx, "ReduceMin");
}

/// The number of true elements. A number other than zero is true.
OnnxValue countOf(const NodeContext& ctx, OnnxValue truth)
{
    const OnnxValue ones = emit::cast(ctx, truth, ElementType::Int32);
    return reducedAlong(ctx, "ReduceSum", ones, numpyAxes(ctx, ctx.input(0)), keepsDims(ctx));
}

OnnxValues any(NodeContext& ctx)
{
    const OnnxValue truth = emit::cast(ctx, ctx.input(0), ElementType::Bool);
    return {emit::cast(ctx, countOf(ctx, truth), ElementType::Bool)};
}

OnnxValues all(NodeContext& ctx)
{
    const OnnxValue isFalse = ctx.emit("Not", {emit::cast(ctx, ctx.input(0), ElementType::Bool)});
    return {ctx.emit("Not", {emit::cast(ctx, countOf(ctx, isFalse), ElementType::Bool)})};
}

OnnxValues mean(NodeContext& ctx)
{
    expectNoInitial(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType to = Attributes(ctx).elementType("dtype", quotientType(own));
    if (to == ElementType::Bool) {
        ctx.refuse("a mean of type bool", "dtype");
    }
    const OnnxValue wide = own == to && isFloating(own) ? x : emit::cast(ctx, x, accumulator(own, to));
    const Ints axes = numpyAxes(ctx, x);
    return {emit::cast(ctx,
                       isFloating(ctx.element(wide)) ? reducedAlong(ctx, "ReduceMean", wide, axes, keepsDims(ctx))
                                                     : meanOf(ctx, wide, axes, keepsDims(ctx)),
                       to)};
}

/// The index of the first largest (or smallest) element.
OnnxValues place(const NodeContext& ctx, std::string_view op)
{
    OnnxValue x = ctx.input(0);
    const auto axis = Attributes(ctx).optionalInteger("axis");
    const std::size_t rank = ctx.rank(x);
    const ElementType own = ctx.element(x);
    const bool isLacking = own == ElementType::Bool || own == ElementType::Int16 || own == ElementType::UInt16;
    x = emit::cast(ctx, x, isLacking ? ElementType::Int32 : own);
    if (axis && rank > 0) {
        return {ctx.emit(op, {x}, {{"axis", ctx.axis(*axis, rank)}, {"keepdims", keepsDims(ctx)}})};
    }
    const OnnxValue flat = rank == 1 ? x : emit::reshape(ctx, x, Ints{-1});
    const OnnxValue found = ctx.emit(op, {flat}, {{"axis", 0}, {"keepdims", 0}});
    return {keepsDims(ctx) ? emit::reshape(ctx, found, Ints(rank, 1)) : found};
}

OnnxValues argMax(NodeContext& ctx)
{
    return place(ctx, "ArgMax");
}

OnnxValues argMin(NodeContext& ctx)
{
    return place(ctx, "ArgMin");
}

} // namespace

std::span<const OpRow> numpyReductionOps()
{
    static constexpr OpRow rows[] = {
        {"_np_all", all, "Not, ReduceSum, Cast"},
        {"_np_any", any, "ReduceSum, Cast"},
        {"_np_max", reducedMaximum, "ReduceMax"},
        {"_np_min", reducedMinimum, "ReduceMin"},
        {"_np_prod", reducedProduct, "ReduceProd"},
        {"_np_sum", sum, "ReduceSum", Support::Exact, "of bool int64"},
        {"_npi_argmax", argMax, "ArgMax"},
        {"_npi_argmin", argMin, "ArgMin"},
        {"_npi_mean", mean, "ReduceMean", Support::Exact, "of integers float32"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
