#include "core/formats/mxnet/ops/numpy/spectrum.h"

#include "core/convert/emit.h"
#include "core/convert/forms/linalg/jacobi.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet::spectrum {
namespace {

constexpr std::int64_t largestSize = 1024;

/// The matrices, integers as float64.
OnnxValue matrices(const NodeContext& ctx, OnnxValue a)
{
    const ElementType type = ctx.element(a);
    if (ctx.rank(a) < 2 || type == ElementType::Float16 || type == ElementType::BFloat16) {
        ctx.invalid(fmt::format("{} requires matrices of float32, float64 or integers", ctx.node.op));
    }
    const std::int64_t rows = ctx.fixedDim(a, -2);
    const std::int64_t columns = ctx.fixedDim(a, -1);
    if (rows < 1 || columns < 1 || rows > largestSize || columns > largestSize) {
        ctx.refuse(fmt::format("matrices of {} x {}: only 1 to {} rows and columns are supported", rows, columns,
                               largestSize));
    }
    return emit::cast(ctx, a, type == ElementType::Float32 ? type : ElementType::Float64);
}

linear::Eigen eigenOfTriangle(const NodeContext& ctx)
{
    const OnnxValue a = matrices(ctx, ctx.input(0));
    if (ctx.fixedDim(a, -1) != ctx.fixedDim(a, -2)) {
        ctx.invalid(fmt::format("{} requires square matrices, not {}", ctx.node.op, toString(ctx.shape(a))));
    }
    const std::string triangle = Attributes(ctx).choice("UPLO", {"L", "U", "76", "85"}, "L"); // 76 is the letter's code
    return linear::eigen(ctx, linear::symmetricOf(ctx, a, triangle == "L" || triangle == "76"));
}

/// Singular values of at most `cutoff` times the largest count as 0. MXNet ignores `hermitian`.
OnnxValue inverted(const NodeContext& ctx, OnnxValue given, OnnxValue cutoff)
{
    const bool isTall = ctx.fixedDim(given, -2) > ctx.fixedDim(given, -1);
    const linear::Singular found = linear::singular(ctx, isTall ? transposedMatrices(ctx, given) : given);
    const auto axis = static_cast<std::int64_t>(ctx.rank(found.values)) - 1;
    const OnnxValue largest = emit::reduce(ctx, "ReduceMax", found.values, {axis}, true);
    const OnnxValue isKept = ctx.emit("Greater", {found.values, ctx.emit("Mul", {cutoff, largest})});
    const OnnxValue zero = emit::scalarLike(ctx, found.values, 0);
    const OnnxValue one = emit::scalarLike(ctx, found.values, 1);
    const OnnxValue divisors = ctx.emit("Where", {isKept, found.values, one});
    const OnnxValue factors = ctx.emit("Where", {isKept, ctx.emit("Div", {one, divisors}), zero});
    const OnnxValue left = ctx.emit("Mul", {found.left, emit::unsqueeze(ctx, factors, {axis + 1})});
    return isTall ? ctx.emit("MatMul", {transposedMatrices(ctx, left), found.right})
                  : ctx.emit("MatMul", {transposedMatrices(ctx, found.right), left});
}

} // namespace

OnnxValues symmetricValues(NodeContext& ctx)
{
    return {eigenOfTriangle(ctx).values};
}

OnnxValues symmetricEigen(NodeContext& ctx)
{
    ctx.note("ambiguous-result", "for equal eigenvalues, and for eigenvectors whose two largest elements have the same "
                                 "magnitude, MXNet's choice depends on its LAPACK");
    const linear::Eigen found = eigenOfTriangle(ctx);
    return {found.values, transposedMatrices(ctx, found.vectors)};
}

OnnxValues singularValues(NodeContext& ctx)
{
    const OnnxValue a = matrices(ctx, ctx.input(0));
    if (ctx.fixedDim(a, -2) > ctx.fixedDim(a, -1)) {
        ctx.invalid(fmt::format("svd requires at most as many rows as columns, not {}", toString(ctx.shape(a))));
    }
    ctx.note("ambiguous-result",
             "for equal singular values and those that are 0, MXNet's choice of vectors depends on its LAPACK");
    const linear::Singular found = linear::singular(ctx, a);
    return {transposedMatrices(ctx, found.left), found.values, found.right};
}

OnnxValues pseudoInverse(NodeContext& ctx)
{
    const OnnxValue a = matrices(ctx, ctx.input(0));
    const OnnxValue cutoff = emit::cast(ctx, ctx.input(1), ctx.element(a));
    const auto behind = static_cast<std::int64_t>(ctx.rank(cutoff));
    return {inverted(ctx, a, emit::unsqueeze(ctx, cutoff, {behind}))};
}

OnnxValues pseudoInverseOfNumber(NodeContext& ctx)
{
    const OnnxValue a = matrices(ctx, ctx.input(0));
    return {inverted(ctx, a, emit::scalarLike(ctx, a, Attributes(ctx).number("rcond", 1e-15)))};
}

/// The number of singular values above the tolerance: the node's, one for each matrix, or MXNet's default.
OnnxValues matrixRank(NodeContext& ctx)
{
    if (ctx.rank(ctx.input(0)) < 2) {
        const OnnxValue isAny = emit::reduce(ctx, "ReduceMax", ctx.emit("Abs", {ctx.input(0)}), {}, false);
        return {emit::cast(ctx, emit::cast(ctx, isAny, ElementType::Bool), ElementType::Int64)};
    }
    const OnnxValue a = matrices(ctx, ctx.input(0));
    const std::int64_t rows = ctx.fixedDim(a, -2);
    const std::int64_t columns = ctx.fixedDim(a, -1);
    const OnnxValue values = linear::singular(ctx, rows > columns ? transposedMatrices(ctx, a) : a).values;
    const auto axis = static_cast<std::int64_t>(ctx.rank(values)) - 1;
    OnnxValue tolerance;
    if (ctx.hasInput(1)) {
        const OnnxValue given = emit::cast(ctx, ctx.input(1), ctx.element(a));
        tolerance = emit::unsqueeze(ctx, given, {static_cast<std::int64_t>(ctx.rank(given))});
    } else {
        const bool isSingle = ctx.element(a) == ElementType::Float32;
        const double last = isSingle ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
        const double factor = static_cast<double>(std::max(rows, columns)) *
                              Attributes(ctx).number(isSingle ? "finfoEps32" : "finfoEps64", last);
        const OnnxValue largest = emit::reduce(ctx, "ReduceMax", values, {axis}, true);
        tolerance = ctx.emit("Mul", {largest, emit::scalarLike(ctx, largest, factor)});
    }
    const OnnxValue isAbove = emit::cast(ctx, ctx.emit("Greater", {values, tolerance}), ElementType::Int64);
    return {emit::reduce(ctx, "ReduceSum", isAbove, {axis}, false)};
}

} // namespace crosswalk::mxnet::spectrum
