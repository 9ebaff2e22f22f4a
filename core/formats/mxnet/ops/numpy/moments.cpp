// Averages, variances, norms, running sums and differences by numpy's rules.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/convert/slice_end.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/axes.h"
#include "core/formats/mxnet/ops/tensor/reduction.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValue flattened(const NodeContext& ctx, OnnxValue x)
{
    return ctx.rank(x) == 1 ? x : reshapeTo(ctx, x, {restTerm()});
}

/// sum / (count - ddof) along axes, in x's type.
OnnxValue meanWithout(const NodeContext& ctx, OnnxValue x, const Ints& axes, std::int64_t ddof, bool keepDims)
{
    const OnnxValue sum = reducedAlong(ctx, "ReduceSum", x, axes, keepDims);
    const OnnxValue count = emit::squeeze(ctx, emit::dimProduct(ctx, x, axes), {0});
    const OnnxValue left = ctx.onnx.content(count) != nullptr || ddof == 0
                               ? count
                               : ctx.emit("Sub", {count, emit::scalarLike(ctx, count, static_cast<double>(ddof))});
    const Tensor* known = ctx.onnx.content(count);
    const OnnxValue divisor =
        known != nullptr ? ctx.onnx.scalar(ElementType::Int64, static_cast<double>(known->toInts().front() - ddof))
                         : left;
    return arithmetic::divide(ctx, sum, countLike(ctx, x, divisor));
}

/// The variance and the mean. For integers both are truncated to integers.
OnnxValues variance(const NodeContext& ctx, bool isRoot)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType to = attributes.elementType("dtype", own);
    if (own != to && (!isFloating(own) || !isFloating(to))) {
        ctx.refuse(fmt::format("MXNet's variance of {} as {} rounds intermediate sums", elementTypeName(own),
                               elementTypeName(to)),
                   "dtype", "cast the input to float32");
    }
    const Ints axes = numpyAxes(ctx, x);
    const bool keepDims = attributes.boolean("keepdims", false);
    const ElementType type = !isFloating(own)                                            ? own
                             : own == ElementType::Float64 || to == ElementType::Float64 ? ElementType::Float64
                                                                                         : ElementType::Float32;
    const OnnxValue wide = emit::cast(ctx, x, type);
    const OnnxValue center = meanWithout(ctx, wide, axes, 0, true);
    const OnnxValue distance = arithmetic::subtract(ctx, wide, center);
    OnnxValue found =
        meanWithout(ctx, arithmetic::multiply(ctx, distance, distance), axes, attributes.integer("ddof", 0), keepDims);
    if (isRoot) {
        found = computedAs(ctx, isFloating(type) ? type : ElementType::Float64, found,
                           [&](OnnxValue v) { return ctx.emit("Sqrt", {v}); });
    }
    const OnnxValue mean = keepDims ? center : meanWithout(ctx, wide, axes, 0, false);
    return {emit::cast(ctx, found, to), emit::cast(ctx, mean, to)};
}

OnnxValues variance(NodeContext& ctx)
{
    return variance(ctx, false);
}

OnnxValues deviation(NodeContext& ctx)
{
    return variance(ctx, true);
}

/// The weighted mean, and the sum of the weights.
OnnxValues average(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints axes = numpyAxes(ctx, x);
    if (!Attributes(ctx).boolean("weighted", true)) {
        const OnnxValue count = emit::squeeze(ctx, emit::dimProduct(ctx, x, axes), {0});
        return {meanWithout(ctx, x, axes, 0, false), emit::cast(ctx, count, ctx.element(x))};
    }
    OnnxValue weights = ctx.input(1);
    const OnnxValue total = ctx.rank(weights) == ctx.rank(x) ? reducedAlong(ctx, "ReduceSum", weights, axes, false)
                                                             : reducedAlong(ctx, "ReduceSum", weights, {0}, false);
    if (ctx.rank(weights) != ctx.rank(x)) {
        if (ctx.rank(weights) != 1 || axes.size() != 1) {
            ctx.invalid("weights of a rank other than the data's must be a vector along one axis", "axis");
        }
        Ints dims(ctx.rank(x), 1);
        dims[static_cast<std::size_t>(axes.front())] = -1;
        weights = emit::reshape(ctx, weights, dims);
    }
    const OnnxValue sum = reducedAlong(ctx, "ReduceSum", arithmetic::multiply(ctx, x, weights), axes, false);
    return {arithmetic::divide(ctx, sum, total), total};
}

/// (sum |x|^p)^(1/p)
OnnxValue powerNorm(const NodeContext& ctx, OnnxValue x, const Ints& axes, double order, bool keepDims)
{
    if (!isFloating(ctx.element(x))) {
        ctx.refuse("MXNet's norm of integers rounds intermediate sums", "ord", "cast the input to float32");
    }
    if (order == 1) {
        return reducedAlong(ctx, "ReduceL1", x, axes, keepDims);
    }
    if (order == 2) {
        return reducedAlong(ctx, "ReduceL2", x, axes, keepDims);
    }
    const ElementType type = ctx.element(x) == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
    return computedAs(ctx, type, x, [&](OnnxValue v) {
        const OnnxValue magnitude = ctx.emit("Abs", {v});
        if (order == 0) { // the number of nonzero elements
            return reducedAlong(ctx, "ReduceSum", ctx.emit("Sign", {magnitude}), axes, keepDims);
        }
        const OnnxValue powers = ctx.emit("Pow", {magnitude, emit::scalarLike(ctx, v, order)});
        const OnnxValue sum = reducedAlong(ctx, "ReduceSum", powers, axes, keepDims);
        return ctx.emit("Pow", {sum, emit::scalarLike(ctx, v, 1 / order)});
    });
}

/// The largest (or smallest) sum of magnitudes along the first (or second) axis of matrices.
OnnxValue rowNorm(const NodeContext& ctx, OnnxValue x, const Ints& axes, double order, bool keepDims)
{
    const std::size_t added = std::abs(order) == 1 ? 0 : 1;
    const OnnxValue sums = reducedAlong(ctx, "ReduceL1", x, {axes[added]}, true);
    const OnnxValue found = reducedAlong(ctx, order > 0 ? "ReduceMax" : "ReduceMin", sums, {axes[1 - added]}, true);
    return keepDims ? found : emit::squeeze(ctx, found, axes);
}

/// The flag selects the norm: -2 the 2-norm of everything, -1 p-norms, 1 the Frobenius norm, 2 the nuclear norm, 0 the
/// matrix norms by ord.
OnnxValues norm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t flag = attributes.integer("flag", -1);
    const double order = attributes.number("ord", 2);
    const bool keepDims = attributes.boolean("keepdims", false);
    Ints axes = attributes.ints("axis");
    for (auto& axis : axes) {
        axis = ctx.axis(axis, ctx.rank(x));
    }
    if (flag == -2) {
        return {powerNorm(ctx, x, numpyAxes(ctx, x), 2, keepDims)};
    }
    if (axes.empty()) {
        axes = numpyAxes(ctx, x);
    }
    if (axes.size() != 2) {
        if (std::isinf(order)) {
            ctx.invalid("MXNet composes this norm of other operators", "ord");
        }
        return {powerNorm(ctx, x, axes, order, keepDims)};
    }
    if (axes[0] == axes[1]) {
        ctx.invalid("an axis occurs twice", "axis");
    }
    if (flag == 1) {
        return {powerNorm(ctx, x, axes, 2, keepDims)};
    }
    if (flag == 2 || std::abs(order) == 2) {
        ctx.refuse("the norm needs singular values, which ONNX cannot compute", "ord");
    }
    return {rowNorm(ctx, x, axes, order, keepDims)};
}

/// Cumulative sums along an axis or over all elements.
OnnxValues runningSum(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto axis = attributes.optionalInteger("axis");
    const OnnxValue x = axis ? ctx.input(0) : flattened(ctx, ctx.input(0));
    const ElementType own = ctx.element(x);
    const ElementType to = attributes.elementType("dtype", own == ElementType::Bool ? ElementType::Int64 : own);
    if (axis && (*axis < 0 || *axis >= static_cast<std::int64_t>(ctx.rank(x)))) {
        ctx.invalid(fmt::format("MXNet does not support axis {} here", *axis), "axis");
    }
    const ElementType type = to == ElementType::Float16 ? ElementType::Float32 : widened(to);
    const OnnxValue place = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(axis.value_or(0)));
    const OnnxValue sums = ctx.emit("CumSum", {emit::cast(ctx, emit::cast(ctx, x, to), type), place});
    return {emit::cast(ctx, sums, to)};
}

/// x[1:] - x[:-1] along an axis.
OnnxValue difference(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const OnnxValue behind = emit::slice(ctx, x, Ints{1}, Ints{emit::farEnd}, Ints{axis});
    return arithmetic::subtract(ctx, behind, emit::slice(ctx, x, Ints{0}, Ints{-1}, Ints{axis}));
}

constexpr std::int64_t differenceLimit = 256;

OnnxValues differences(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(attributes.integer("axis", -1), ctx.rank(x));
    const std::int64_t count = attributes.integer("n", 1);
    if (count < 0 || count > differenceLimit) {
        ctx.refuse(fmt::format("differences of order {}", count), "n");
    }
    for (std::int64_t i = 0; i < count; ++i) {
        x = difference(ctx, x, axis);
    }
    return {x};
}

/// The differences of neighbours over all elements, with optional values before and after.
OnnxValues flatDifferences(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = flattened(ctx, ctx.input(0));
    const ElementType type = ctx.element(x);
    std::size_t next = 1;
    OnnxValues parts;
    const auto take = [&](const std::string& where) {
        if (attributes.boolean(where + "_arr_given", false)) {
            parts.push_back(flattened(ctx, ctx.input(next++)));
        } else if (const auto number = attributes.optionalNumber(where + "_scalar")) {
            parts.push_back(
                ctx.onnx.constant(Tensor::filled(type, {1}, castNumber(ctx, type, *number, where + "_scalar"))));
        }
    };
    take("to_begin");
    parts.push_back(difference(ctx, x, 0));
    take("to_end");
    return {emit::concat(ctx, parts, 0)};
}

} // namespace

std::span<const OpRow> numpyMomentOps()
{
    static constexpr OpRow rows[] = {
        {"_np_cumsum", runningSum, "CumSum"},
        {"_npi_average", average, "Mul, ReduceSum, Div"},
        {"_npi_diff", differences, "Slice, Sub"},
        {"_npi_ediff1d", flatDifferences, "Slice, Sub, Concat"},
        {"_npi_norm", norm, "ReduceL1, ReduceL2, or Pow and ReduceSum", Support::Exact,
         "norms by singular values are not supported"},
        {"_npi_std", deviation, "ReduceSum, Sub, Mul, Div, Sqrt"},
        {"_npi_var", variance, "ReduceSum, Sub, Mul, Div"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
