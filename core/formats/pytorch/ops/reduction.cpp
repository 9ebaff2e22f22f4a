// Reductions over axes, and what depends on the order of elements along one.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cmath>

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

OnnxValues mean(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = emit::cast(ctx, given, arguments.type("dtype", ctx.element(given)));
    return {forms::reducedAlong(ctx, "ReduceMean", x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

template <const char* op>
OnnxValues extreme(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {forms::reducedAlong(ctx, op, x, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

OnnxValue argument(const NodeContext& ctx, const char* op, OnnxValue x, std::int64_t axis, bool keepDims)
{
    return ctx.emit(op, {emit::cast(ctx, x, forms::widened(ctx.element(x)))}, {{"axis", axis}, {"keepdims", keepDims}});
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
        return {forms::reducedAlong(ctx, reduce, x, arguments.axes("dim", ctx.rank(x)), false)};
    }
    const bool keepDims = arguments.truth("keepdim");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    if (ctx.rank(x) == 0) {
        return {x, ctx.onnx.scalar(ElementType::Int64, 0)};
    }
    return {forms::reducedAlong(ctx, reduce, x, {axis}, keepDims), argument(ctx, index, x, axis, keepDims)};
}

template <const char* op>
OnnxValues argumentOf(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const bool keepDims = arguments.truth("keepdim");
    if (arguments.has("dim")) {
        return {argument(ctx, op, x, arguments.axis("dim", 0, ctx.rank(x)), keepDims)};
    }
    if (keepDims) {
        ctx.refuse("the index among all elements with kept dimensions is not supported", "keepdim");
    }
    x = emit::reshape(ctx, x, Ints{-1});
    return {argument(ctx, op, x, 0, false)};
}

template <bool isAll>
OnnxValues truthAlong(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = emit::cast(ctx, emit::cast(ctx, given, ElementType::Bool), ElementType::Int32);
    const OnnxValue y = forms::reducedAlong(ctx, isAll ? "ReduceMin" : "ReduceMax", x,
                                            arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"));
    return {emit::cast(ctx, y, ctx.element(given) == ElementType::UInt8 ? ElementType::UInt8 : ElementType::Bool)};
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
    const Ints axes = arguments.axes("dim", ctx.rank(x));
    const bool keepDims = arguments.truth("keepdim");
    const double correction = arguments.has("correction")         ? arguments.number("correction", 1)
                              : arguments.truth("unbiased", true) ? 1
                                                                  : 0;
    const OnnxValue mean = forms::reducedAlong(ctx, "ReduceMean", x, axes, true);
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

OnnxValues cumulativeSum(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = emit::cast(ctx, given, sumType(arguments, ctx.element(given)));
    if (ctx.rank(x) == 0) {
        return {x};
    }
    const OnnxValue axis =
        ctx.onnx.scalar(ElementType::Int64, static_cast<double>(arguments.axis("dim", 0, ctx.rank(x))));
    return {ctx.emit("CumSum", {x, axis})};
}

/// The p-norm along axes.
OnnxValue normOf(const NodeContext& ctx, OnnxValue x, double p, const Ints& axes, bool keepDims)
{
    if (p == 2) {
        return forms::reducedAlong(ctx, "ReduceL2", x, axes, keepDims);
    }
    const OnnxValue magnitude = ctx.emit("Abs", {x});
    if (p == 1) {
        return forms::reducedAlong(ctx, "ReduceSum", magnitude, axes, keepDims);
    }
    if (std::isinf(p)) {
        return forms::reducedAlong(ctx, p > 0 ? "ReduceMax" : "ReduceMin", magnitude, axes, keepDims);
    }
    if (p == 0) {
        const OnnxValue isThere = ctx.emit("Greater", {magnitude, emit::scalarLike(ctx, x, 0)});
        return forms::reducedAlong(ctx, "ReduceSum", emit::cast(ctx, isThere, ctx.element(x)), axes, keepDims);
    }
    const OnnxValue powers = arithmetic::power(ctx, magnitude, emit::scalarLike(ctx, x, p));
    const OnnxValue total = forms::reducedAlong(ctx, "ReduceSum", powers, axes, keepDims);
    return arithmetic::power(ctx, total, emit::scalarLike(ctx, x, 1 / p));
}

OnnxValues vectorNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const double p = arguments.has("ord") ? arguments.number("ord", 2) : arguments.number("p", 2);
    return {normOf(ctx, x, p, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

constexpr char sumName[] = "ReduceSum";
constexpr char productName[] = "ReduceProd";
constexpr char maxName[] = "ReduceMax";
constexpr char minName[] = "ReduceMin";
constexpr char argMaxName[] = "ArgMax";
constexpr char argMinName[] = "ArgMin";

constexpr OpRow rows[] = {
    {"aten::sum", sum<sumName>, "ReduceSum"},
    {"aten::prod", sum<productName>, "ReduceProd"},
    {"aten::mean", mean, "ReduceMean"},
    {"aten::amax", extreme<maxName>, "ReduceMax"},
    {"aten::amin", extreme<minName>, "ReduceMin"},
    {"aten::max", extremeOf<maxName, argMaxName, arithmetic::maximum>, "ReduceMax, ArgMax; Max"},
    {"aten::min", extremeOf<minName, argMinName, arithmetic::minimum>, "ReduceMin, ArgMin; Min"},
    {"aten::argmax", argumentOf<argMaxName>, "ArgMax"},
    {"aten::argmin", argumentOf<argMinName>, "ArgMin"},
    {"aten::any", truthAlong<false>, "ReduceMax"},
    {"aten::all", truthAlong<true>, "ReduceMin"},
    {"aten::logsumexp", logSumExp, "ReduceLogSumExp"},
    {"aten::var", variance, "ReduceMean, ReduceSum"},
    {"aten::std", deviation, "ReduceMean, ReduceSum, Sqrt"},
    {"aten::cumsum", cumulativeSum, "CumSum"},
    {"aten::linalg_vector_norm", vectorNorm, "ReduceL2"},
};

} // namespace

std::span<const OpRow> reductionOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
