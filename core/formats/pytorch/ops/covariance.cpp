// Covariances and correlations of variables, whose observations are columns.

#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

namespace crosswalk::pytorch {
namespace {

using enum ElementType;

OnnxValue asMatrix(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.rank(x) > 2) {
        ctx.invalid("observations have at most two axes", "self");
    }
    return ctx.rank(x) == 2 ? x : emit::reshape(ctx, x, Ints{1, -1});
}

/// In double precision: differences from the average lose digits.
OnnxValue covariances(const NodeContext& ctx, const Arguments& arguments)
{
    const auto wide = [&](OnnxValue x) { return x ? emit::cast(ctx, x, Float64) : x; };
    const auto sumOf = [&](OnnxValue x, const Ints& axes, bool keeps) {
        return emit::reduce(ctx, "ReduceSum", x, axes, keeps);
    };
    const OnnxValue x = wide(asMatrix(ctx, arguments.tensor("self")));
    const OnnxValue frequencies = wide(arguments.optional("fweights"));
    const OnnxValue importance = wide(arguments.optional("aweights"));
    const OnnxValue weights = frequencies && importance ? ctx.emit("Mul", {frequencies, importance})
                              : frequencies             ? frequencies
                                                        : importance;
    const auto weighted = [&](OnnxValue value) { return weights ? ctx.emit("Mul", {value, weights}) : value; };
    const OnnxValue total =
        weights ? sumOf(weights, {0}, false) : emit::reshape(ctx, wide(emit::dimVector(ctx, x, 1)), ctx.onnx.ints({}));
    const OnnxValue average = ctx.emit("Div", {sumOf(weighted(x), {1}, true), total});
    const double correction = arguments.number("correction", 1);
    OnnxValue removed = ctx.onnx.scalar(Float64, correction);
    if (importance && correction != 0) {
        const OnnxValue squares = sumOf(ctx.emit("Mul", {weights, importance}), {0}, false);
        removed = ctx.emit("Div", {ctx.emit("Mul", {removed, squares}), total});
    }
    const OnnxValue zero = ctx.onnx.scalar(Float64, 0);
    const OnnxValue divisor = ctx.emit("Max", {ctx.emit("Sub", {total, removed}), zero});
    const OnnxValue centred = ctx.emit("Sub", {x, average});
    const OnnxValue products = ctx.emit("MatMul", {centred, emit::transpose(ctx, weighted(centred), {1, 0})});
    return ctx.emit("Div", {products, divisor});
}

/// A number if there is a single variable.
OnnxValue withoutUnitAxes(const NodeContext& ctx, const Arguments& arguments, OnnxValue matrix)
{
    const bool isSingle = ctx.rank(arguments.tensor("self")) < 2 || ctx.fixedDim(arguments.tensor("self"), 0) == 1;
    return isSingle ? emit::squeeze(ctx, matrix, {0, 1}) : matrix;
}

ElementType covarianceType(const NodeContext& ctx, const Arguments& arguments)
{
    return floatingType(arguments.has("aweights") ? resultType(ctx, arguments, {"self", "aweights"})
                                                  : ctx.element(arguments.tensor("self")));
}

OnnxValues covariance(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {
        emit::cast(ctx, withoutUnitAxes(ctx, arguments, covariances(ctx, arguments)), covarianceType(ctx, arguments))};
}

OnnxValues correlation(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue matrix = covariances(ctx, arguments);
    const OnnxValue single = withoutUnitAxes(ctx, arguments, matrix);
    const ElementType type = covarianceType(ctx, arguments);
    if (ctx.rank(single) == 0) { // 1, or NaN where there is no variance
        return {emit::cast(ctx, ctx.emit("Div", {single, single}), type)};
    }
    const OnnxValue identity = ctx.emit("EyeLike", {matrix});
    const OnnxValue isDiagonal = emit::cast(ctx, identity, Bool);
    const OnnxValue variances =
        emit::reduce(ctx, "ReduceSum", ctx.emit("Where", {isDiagonal, matrix, ctx.onnx.scalar(Float64, 0)}), {1}, true);
    const OnnxValue deviations = ctx.emit("Sqrt", {variances});
    const OnnxValue rows = ctx.emit("Div", {matrix, deviations});
    const OnnxValue scaled = ctx.emit("Div", {rows, emit::transpose(ctx, deviations, {1, 0})});
    return {emit::cast(ctx, emit::clip(ctx, scaled, -1, 1), type)};
}

} // namespace

std::span<const OpRow> covarianceOps()
{
    static constexpr OpRow rows[] = {
        {"aten::cov", covariance, "MatMul, Div"},
        {"aten::corrcoef", correlation, "MatMul, Div, Clip"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
