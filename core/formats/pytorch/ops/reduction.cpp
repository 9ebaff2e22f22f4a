// Reductions over axes, and what depends on the order of elements along one.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/extremes.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;

/// Integers and bool are summed as int64.
ElementType sumType(const Arguments& arguments, ElementType type)
{
    return arguments.type("dtype", isFloating(type) ? type : ElementType::Int64);
}

template <const char* op>
OnnxValues sum(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = emit::cast(ctx, given, sumType(arguments, ctx.element(given)));
    return {forms::reducedAlong(ctx, op, x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

/// Sums over the axes that broadcasting from the sizes would add or extend.
OnnxValues sumToSize(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const Ints sizes = arguments.integers("size").value_or(Ints());
    const std::size_t rank = ctx.rank(given);
    if (sizes.size() > rank) {
        ctx.invalid("has more axes than the tensor", "size");
    }
    const std::size_t leading = rank - sizes.size();
    if (rank == 0) {
        return {emit::cast(ctx, given, sumType(arguments, ctx.element(given)))};
    }
    Ints axes;
    Ints dropped;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        if (i < leading) {
            dropped.push_back(axis);
        }
        if (i < leading || (sizes[i - leading] == 1 && ctx.fixedDim(given, axis) != 1)) {
            axes.push_back(axis);
        }
    }
    if (axes.empty()) {
        return {given};
    }
    const OnnxValue x = emit::cast(ctx, given, sumType(arguments, ctx.element(given)));
    const OnnxValue total = forms::reducedAlong(ctx, "ReduceSum", x, axes, true);
    return {dropped.empty() ? total : emit::squeeze(ctx, total, dropped)};
}

/// ONNX Runtime's mean of nothing is 0, here it is none.
OnnxValue meanAlong(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims)
{
    const auto isEmpty = [&](std::int64_t axis) { return ctx.shape(x)[static_cast<std::size_t>(axis)] == Dim(0); };
    if (std::ranges::none_of(axes, isEmpty)) {
        return forms::reducedAlong(ctx, "ReduceMean", x, axes, keepDims);
    }
    const OnnxValue sum = forms::reducedAlong(ctx, "ReduceSum", x, axes, keepDims);
    return arithmetic::add(ctx, sum, emit::scalarLike(ctx, sum, std::numeric_limits<double>::quiet_NaN()));
}

OnnxValues mean(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = emit::cast(ctx, given, arguments.type("dtype", ctx.element(given)));
    return {meanAlong(ctx, x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

template <const char* op>
OnnxValues extreme(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {extremeAlong(ctx, op, x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

/// The place of the first such element, or of the first missing number.
OnnxValue argument(const NodeContext& ctx, const char* op, OnnxValue x, std::int64_t axis, bool keepDims)
{
    const auto placeIn = [&](const char* search, OnnxValue values) {
        return ctx.emit(search, {values}, {{"axis", axis}, {"keepdims", keepDims}});
    };
    const OnnxValue wide = emit::cast(ctx, x, forms::widened(ctx.element(x)));
    const OnnxValue place = placeIn(op, wide);
    if (!isFloating(ctx.element(x))) {
        return place;
    }
    const OnnxValue marks = emit::cast(ctx, ctx.emit("IsNaN", {wide}), ElementType::Int32);
    const OnnxValue isMissing =
        emit::cast(ctx, emit::reduce(ctx, "ReduceMax", marks, {axis}, keepDims), ElementType::Bool);
    return ctx.emit("Where", {isMissing, placeIn("ArgMax", marks), place});
}

/// max and min: of all elements, of two tensors, or along an axis with the indices.
template <const char* reduce, const char* index, OnnxValue (*two)(const NodeContext&, OnnxValue, OnnxValue)>
OnnxValues extremeOf(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (arguments.has("other")) {
        const ElementType type = resultType(ctx, arguments, {"self", "other"});
        return {two(ctx, emit::cast(ctx, x, type), operand(ctx, arguments, "other", type))};
    }
    if (!arguments.has("dim")) {
        return {extremeAlong(ctx, reduce, x, arguments.axes("dim", ctx.rank(x)), false)};
    }
    const bool keepDims = arguments.truth("keepdim");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    if (ctx.rank(x) == 0) {
        return {x, ctx.onnx.scalar(ElementType::Int64, 0)};
    }
    return {extremeAlong(ctx, reduce, x, {axis}, keepDims), argument(ctx, index, x, axis, keepDims)};
}

template <const char* op>
OnnxValues argumentOf(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const bool keepDims = arguments.truth("keepdim");
    const std::size_t rank = ctx.rank(x);
    if (rank == 0) {
        return {ctx.onnx.scalar(ElementType::Int64, 0)};
    }
    if (arguments.has("dim")) {
        return {argument(ctx, op, x, arguments.axis("dim", 0, rank), keepDims)};
    }
    x = emit::reshape(ctx, x, Ints{-1});
    const OnnxValue place = argument(ctx, op, x, 0, false);
    return {keepDims ? emit::reshape(ctx, place, Ints(rank, 1)) : place};
}

template <bool isAll>
OnnxValues truthAlong(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const ElementType type = ctx.element(x) == ElementType::UInt8 ? ElementType::UInt8 : ElementType::Bool;
    if (const auto dims = arguments.integers("dim"); dims && dims->empty()) { // unlike in other reductions: none
        return {emit::cast(ctx, emit::cast(ctx, x, ElementType::Bool), type)};
    }
    const auto truth = isAll ? forms::allAlong : forms::anyAlong;
    return {emit::cast(ctx, truth(ctx, x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim")), type)};
}

OnnxValues logSumExp(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {forms::reducedAlong(ctx, "ReduceLogSumExp", emit::cast(ctx, x, floatingType(ctx.element(x))),
                                arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

/// The variance with `correction` less than the number of elements as the divisor, 1 by default.
OnnxValue varianceOf(const NodeContext& ctx, const Arguments& arguments)
{
    const OnnxValue x = arguments.tensor("self");
    if (!isFloating(ctx.element(x))) {
        ctx.invalid(fmt::format("the variance of {} is not defined", elementTypeName(ctx.element(x))));
    }
    const Ints axes = arguments.axes("dim", ctx.rank(x));
    const bool keepDims = arguments.truth("keepdim");
    const double correction = arguments.has("correction")         ? arguments.number("correction", 1)
                              : arguments.truth("unbiased", true) ? 1
                                                                  : 0;
    const OnnxValue mean = meanAlong(ctx, x, axes, true);
    const OnnxValue centered = arithmetic::subtract(ctx, x, mean);
    const OnnxValue squares = arithmetic::multiply(ctx, centered, centered);
    const OnnxValue total = forms::reducedAlong(ctx, "ReduceSum", squares, axes, keepDims);
    const OnnxValue count = emit::squeeze(ctx, emit::dimProduct(ctx, x, axes), {0});
    const OnnxValue divisor =
        arithmetic::subtract(ctx, emit::cast(ctx, count, ctx.element(x)), emit::scalarLike(ctx, x, correction));
    const OnnxValue positive = arithmetic::maximum(ctx, divisor, emit::scalarLike(ctx, x, 0));
    return arithmetic::divide(ctx, total, positive);
}

OnnxValues variance(NodeContext& ctx)
{
    return {varianceOf(ctx, Arguments(ctx))};
}

OnnxValues deviation(NodeContext& ctx)
{
    return {elementary::sqrt(ctx, varianceOf(ctx, Arguments(ctx)))};
}

template <bool isDeviation>
OnnxValues varianceAndMean(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue spread = varianceOf(ctx, arguments);
    return {isDeviation ? elementary::sqrt(ctx, spread) : spread,
            meanAlong(ctx, x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

OnnxValues bothExtremes(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Ints axes = arguments.axes("dim", ctx.rank(x));
    const bool keepDims = arguments.truth("keepdim");
    return {extremeAlong(ctx, "ReduceMin", x, axes, keepDims), extremeAlong(ctx, "ReduceMax", x, axes, keepDims)};
}

OnnxValues countNonZero(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue isThere = emit::cast(ctx, emit::cast(ctx, x, ElementType::Bool), ElementType::Int64);
    return {forms::reducedAlong(ctx, "ReduceSum", isThere, arguments.axes("dim", ctx.rank(x)), false)};
}

/// The sum without missing numbers, and how many there are of the others.
struct PresentSum {
    OnnxValue total;
    OnnxValue count;
};

PresentSum presentSum(const NodeContext& ctx, const Arguments& arguments)
{
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = emit::cast(ctx, given, sumType(arguments, ctx.element(given)));
    const Ints axes = arguments.axes("dim", ctx.rank(x));
    const bool keepDims = arguments.truth("keepdim");
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    if (!isFloating(ctx.element(x))) {
        return {forms::reducedAlong(ctx, "ReduceSum", x, axes, keepDims), {}};
    }
    const OnnxValue isMissing = ctx.emit("IsNaN", {x});
    const OnnxValue ones = ctx.emit("Where", {isMissing, zero, emit::scalarLike(ctx, x, 1)});
    return {forms::reducedAlong(ctx, "ReduceSum", ctx.emit("Where", {isMissing, zero, x}), axes, keepDims),
            forms::reducedAlong(ctx, "ReduceSum", ones, axes, keepDims)};
}

OnnxValues sumOfPresent(NodeContext& ctx)
{
    return {presentSum(ctx, Arguments(ctx)).total};
}

OnnxValues meanOfPresent(NodeContext& ctx)
{
    const PresentSum sum = presentSum(ctx, Arguments(ctx));
    if (!sum.count) {
        ctx.invalid("the mean of integers", "self");
    }
    return {arithmetic::divide(ctx, sum.total, sum.count)};
}

constexpr char sumName[] = "ReduceSum";
constexpr char productName[] = "ReduceProd";
constexpr char reduceMaxName[] = "ReduceMax";
constexpr char reduceMinName[] = "ReduceMin";
constexpr char argMaxName[] = "ArgMax";
constexpr char argMinName[] = "ArgMin";

} // namespace

OnnxValue extremeAlong(const NodeContext& ctx, const char* op, OnnxValue x, const Ints& axes, bool keepDims)
{
    const OnnxValue y = forms::reducedAlong(ctx, op, x, axes, keepDims);
    if (!isFloating(ctx.element(x)) || axes.empty()) {
        return y;
    }
    const OnnxValue marks = emit::cast(ctx, ctx.emit("IsNaN", {x}), ElementType::Int32);
    const OnnxValue isMissing =
        emit::cast(ctx, forms::reducedAlong(ctx, "ReduceMax", marks, axes, keepDims), ElementType::Bool);
    return ctx.emit("Where", {isMissing, emit::scalarLike(ctx, y, std::numeric_limits<double>::quiet_NaN()), y});
}

std::span<const OpRow> reductionOps()
{
    static constexpr OpRow rows[] = {
        {"aten::sum", sum<sumName>, "ReduceSum"},
        {"aten::sum_to_size", sumToSize, "ReduceSum"},
        {"aten::prod", sum<productName>, "ReduceProd"},
        {"aten::mean", mean, "ReduceMean"},
        {"aten::amax", extreme<reduceMaxName>, "ReduceMax"},
        {"aten::amin", extreme<reduceMinName>, "ReduceMin"},
        {"aten::max", extremeOf<reduceMaxName, argMaxName, arithmetic::maximum>, "ReduceMax, ArgMax; Max"},
        {"aten::min", extremeOf<reduceMinName, argMinName, arithmetic::minimum>, "ReduceMin, ArgMin; Min"},
        {"aten::argmax", argumentOf<argMaxName>, "ArgMax"},
        {"aten::argmin", argumentOf<argMinName>, "ArgMin"},
        {"aten::any", truthAlong<false>, "ReduceMax"},
        {"aten::all", truthAlong<true>, "ReduceMin"},
        {"aten::logsumexp", logSumExp, "ReduceLogSumExp"},
        {"aten::var", variance, "ReduceMean, ReduceSum"},
        {"aten::std", deviation, "ReduceMean, ReduceSum, Sqrt"},
        {"aten::var_mean", varianceAndMean<false>, "ReduceMean, ReduceSum"},
        {"aten::std_mean", varianceAndMean<true>, "ReduceMean, ReduceSum, Sqrt"},
        {"aten::aminmax", bothExtremes, "ReduceMin, ReduceMax"},
        {"aten::count_nonzero", countNonZero, "Equal, ReduceSum"},
        {"aten::nansum", sumOfPresent, "IsNaN, Where, ReduceSum"},
        {"aten::nanmean", meanOfPresent, "IsNaN, Where, ReduceSum"},
        {"aten::special_logsumexp", logSumExp, "ReduceLogSumExp"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
