// Sums, means, extremes and norms along axes, and the indices of the extremes.

#include "core/formats/mxnet/ops/tensor/reduction.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

Ints allAxes(std::size_t rank)
{
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

OnnxValue withoutScalar(const NodeContext& ctx, OnnxValue x)
{
    return ctx.rank(x) == 0 ? emit::reshape(ctx, x, Ints{1}) : x;
}

} // namespace

Ints reductionAxes(const NodeContext& ctx, OnnxValue x, std::string_view name)
{
    const Attributes attributes(ctx);
    const std::size_t rank = ctx.rank(x);
    Ints axes = attributes.ints(name);
    if (axes.empty()) {
        return allAxes(rank);
    }
    for (auto& axis : axes) {
        axis = ctx.axis(axis, rank, name);
    }
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) {
        ctx.invalid("an axis occurs twice", std::string(name));
    }
    if (!attributes.boolean("exclude", false)) {
        return axes;
    }
    const Ints all = allAxes(rank);
    Ints others;
    std::set_difference(all.begin(), all.end(), axes.begin(), axes.end(), std::back_inserter(others));
    return others;
}

OnnxValue reduced(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims)
{
    const bool keepsOne = axes.size() == 1 && ctx.rank(x) == 1; // a vector: its one dimension represents a scalar
    return withoutScalar(ctx, reducedAlong(ctx, op, x, axes, keepDims || keepsOne));
}

OnnxValue countLike(const NodeContext& ctx, OnnxValue x, OnnxValue count)
{
    const ElementType type = ctx.element(x);
    const Tensor* known = ctx.onnx.content(count);
    if (known == nullptr) {
        return emit::cast(ctx, count, type);
    }
    const double divisor = castNumber(type, static_cast<double>(known->toInts().front()));
    if (divisor == 0 && !isFloating(type)) {
        ctx.invalid(fmt::format("MXNet divides by the number of elements in {}, which overflows to zero",
                                elementTypeName(type)));
    }
    return ctx.onnx.constant(Tensor::filled(type, known->dims(), divisor));
}

OnnxValue meanOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims)
{
    if (isFloating(ctx.element(x))) {
        return reduced(ctx, "ReduceMean", x, axes, keepDims);
    }
    const OnnxValue sum = reduced(ctx, "ReduceSum", x, axes, keepDims);
    return arithmetic::divide(ctx, sum, countLike(ctx, x, emit::dimProduct(ctx, x, axes)));
}

namespace {

OnnxValues reduction(NodeContext& ctx, std::string_view op)
{
    const OnnxValue x = ctx.input(0);
    return {reduced(ctx, op, x, reductionAxes(ctx, x), Attributes(ctx).boolean("keepdims", false))};
}

OnnxValues sum(NodeContext& ctx)
{
    return reduction(ctx, "ReduceSum");
}

OnnxValues product(NodeContext& ctx)
{
    return reduction(ctx, "ReduceProd");
}

OnnxValues largest(NodeContext& ctx)
{
    return reduction(ctx, "ReduceMax");
}

OnnxValues smallest(NodeContext& ctx)
{
    return reduction(ctx, "ReduceMin");
}

OnnxValues mean(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {meanOf(ctx, x, reductionAxes(ctx, x), Attributes(ctx).boolean("keepdims", false))};
}

/// NaN counts as `instead`.
OnnxValues withoutNan(NodeContext& ctx, std::string_view op, double instead)
{
    OnnxValue x = ctx.input(0);
    const Ints axes = reductionAxes(ctx, x);
    if (isFloating(ctx.element(x))) {
        x = ctx.emit("Where", {ctx.emit("IsNaN", {x}), emit::scalarLike(ctx, x, instead), x});
    }
    return {reduced(ctx, op, x, axes, Attributes(ctx).boolean("keepdims", false))};
}

OnnxValues nanSum(NodeContext& ctx)
{
    return withoutNan(ctx, "ReduceSum", 0);
}

OnnxValues nanProduct(NodeContext& ctx)
{
    return withoutNan(ctx, "ReduceProd", 1);
}

OnnxValues norm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t order = attributes.integer("ord", 2);
    if (order != 1 && order != 2) {
        ctx.invalid("norm supports only ord 1 and 2", "ord");
    }
    if (order == 2 && !isFloating(ctx.element(x))) {
        ctx.refuse("MXNet's 2-norm of integers rounds intermediate sums", "ord", "cast the input to float32");
    }
    const Ints axes = reductionAxes(ctx, x);
    const OnnxValue magnitude = axes.empty() ? ctx.emit("Abs", {x})
                                             : reduced(ctx, order == 1 ? "ReduceL1" : "ReduceL2", x, axes,
                                                       attributes.boolean("keepdims", false));
    return {emit::cast(ctx, magnitude, attributes.elementType("out_dtype", ctx.element(x)))};
}

OnnxValues squareSum(NodeContext& ctx)
{
    return reduction(ctx, "ReduceSumSquare");
}

/// Mean and variance.
OnnxValues moments(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints axes = reductionAxes(ctx, x, "axes");
    const bool keepDims = Attributes(ctx).boolean("keepdims", false);
    const OnnxValue kept = meanOf(ctx, x, axes, true);
    const OnnxValue distance = arithmetic::subtract(ctx, x, kept);
    const OnnxValue variance = meanOf(ctx, arithmetic::multiply(ctx, distance, distance), axes, keepDims);
    return {keepDims ? kept : meanOf(ctx, x, axes, false), variance};
}

/// The index of the first largest (or smallest) element, as a number in the input's type.
OnnxValues place(NodeContext& ctx, std::string_view op, std::optional<std::int64_t> axis)
{
    const Attributes attributes(ctx);
    OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const std::size_t rank = ctx.rank(x);
    const bool keepDims = attributes.boolean("keepdims", false);
    const bool isLacking = own == ElementType::Bool || own == ElementType::Int16 || own == ElementType::UInt16;
    x = emit::cast(ctx, x, isLacking ? ElementType::Int32 : own);
    if (!axis && rank > 1) {
        x = emit::reshape(ctx, x, Ints{-1});
    }
    const std::int64_t along = axis ? ctx.axis(*axis, rank) : 0;
    const bool isVector = ctx.rank(x) == 1;
    OnnxValue found = ctx.emit(op, {x}, {{"axis", along}, {"keepdims", keepDims || isVector}});
    if (!axis && keepDims && rank > 1) {
        found = emit::reshape(ctx, found, Ints(rank, 1));
    }
    return {emit::cast(ctx, found, own)};
}

OnnxValues argMax(NodeContext& ctx)
{
    return place(ctx, "ArgMax", Attributes(ctx).optionalInteger("axis"));
}

OnnxValues argMin(NodeContext& ctx)
{
    return place(ctx, "ArgMin", Attributes(ctx).optionalInteger("axis"));
}

OnnxValues argMaxChannel(NodeContext& ctx)
{
    return place(ctx, "ArgMax", ctx.rank(ctx.input(0)) == 1 ? 0 : 1);
}

} // namespace

std::span<const OpRow> reductionOps()
{
    static constexpr OpRow rows[] = {
        {"_square_sum", squareSum, "ReduceSumSquare"},
        {"argmax", argMax, "ArgMax, Cast"},
        {"argmax_channel", argMaxChannel, "ArgMax, Cast"},
        {"argmin", argMin, "ArgMin, Cast"},
        {"max", largest, "ReduceMax"},
        {"mean", mean, "ReduceMean"},
        {"min", smallest, "ReduceMin"},
        {"moments", moments, "ReduceMean, Sub, Mul"},
        {"nanprod", nanProduct, "IsNaN, Where, ReduceProd"},
        {"nansum", nanSum, "IsNaN, Where, ReduceSum"},
        {"norm", norm, "ReduceL1 or ReduceL2"},
        {"prod", product, "ReduceProd"},
        {"sum", sum, "ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
