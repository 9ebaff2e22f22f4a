// Systems of linear equations, determinants and decompositions of matrices.

#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/pytorch/ops/matrix.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

OnnxValues inverse(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("A") ? "A" : "self");
    return {isEmpty(ctx, x) ? x : forms::linear::solved(ctx, x, forms::linear::identityLike(ctx, x))};
}

OnnxValue solvedOrEmpty(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return isEmpty(ctx, a) || isEmpty(ctx, b) ? productOfEmpty(ctx, a, b) : forms::linear::solved(ctx, a, b);
}

/// Of a triangle of the matrix, which may have ones on its diagonal whatever it stores.
OnnxValues solveTriangular(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue a = arguments.tensor("self");
    OnnxValue b = arguments.tensor("B");
    if (!isEmpty(ctx, a)) {
        a = forms::linear::triangleOf(ctx, a, !arguments.truth("upper"));
        if (arguments.truth("unitriangular")) {
            const OnnxValue identity = forms::linear::identityLike(ctx, a);
            a = ctx.emit("Where", {emit::cast(ctx, identity, ElementType::Bool), identity, a});
        }
    }
    if (arguments.truth("left", true)) {
        return {solvedOrEmpty(ctx, a, b)};
    }
    a = forms::transposedMatrices(ctx, a);
    return {forms::transposedMatrices(ctx, solvedOrEmpty(ctx, a, forms::transposedMatrices(ctx, b)))};
}

/// Right-hand sides are matrices, or vectors where there is one dimension less.
OnnxValues solve(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("A");
    const OnnxValue b = arguments.tensor("B");
    if (!arguments.truth("left", true)) { // x a = b is a^T x^T = b^T
        const OnnxValue turned = forms::transposedMatrices(ctx, b);
        return {forms::transposedMatrices(ctx, solvedOrEmpty(ctx, forms::transposedMatrices(ctx, a), turned))};
    }
    const bool isVector = ctx.rank(b) == 1 || ctx.rank(b) + 1 == ctx.rank(a);
    const auto last = static_cast<std::int64_t>(ctx.rank(b));
    const OnnxValue matrices = isVector ? emit::unsqueeze(ctx, b, {last}) : b;
    const OnnxValue x = solvedOrEmpty(ctx, a, matrices);
    return {isVector ? emit::squeeze(ctx, x, {static_cast<std::int64_t>(ctx.rank(x)) - 1}) : x};
}

/// A zero for each matrix, of which none has elements.
OnnxValue zeroOfEach(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return forms::reducedAlong(ctx, "ReduceSum", x, {rank - 2, rank - 1}, false);
}

/// ONNX Runtime has no determinant of doubles.
OnnxValues determinant(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("A") ? "A" : "self");
    if (isEmpty(ctx, x)) {
        const OnnxValue zeros = zeroOfEach(ctx, x);
        return {arithmetic::add(ctx, zeros, emit::scalarLike(ctx, zeros, 1))};
    }
    if (ctx.element(x) != ElementType::Float64) {
        return {ctx.emit("Det", {x})};
    }
    const forms::linear::Pivots pivots = forms::linear::pivots(ctx, x);
    return {emit::reduce(ctx, "ReduceProd", ctx.emit("Mul", {pivots.signs, pivots.values}), {0}, false)};
}

OnnxValues cholesky(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (isEmpty(ctx, x)) {
        return {x};
    }
    const OnnxValue factor = forms::linear::choleskyFactor(ctx, x);
    return {arguments.truth("upper") ? forms::transposedMatrices(ctx, factor) : factor};
}

/// The sign of the determinant and the logarithm of its magnitude.
OnnxValues signAndLog(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("A") ? "A" : "self");
    if (isEmpty(ctx, x)) {
        const OnnxValue zeros = zeroOfEach(ctx, x);
        return {arithmetic::add(ctx, zeros, emit::scalarLike(ctx, zeros, 1)), zeros};
    }
    const forms::linear::Pivots pivots = forms::linear::pivots(ctx, x);
    const OnnxValue signs = ctx.emit("Mul", {pivots.signs, ctx.emit("Sign", {pivots.values})});
    const OnnxValue logs = forms::elementary::log(ctx, ctx.emit("Abs", {pivots.values}));
    return {emit::reduce(ctx, "ReduceProd", signs, {0}, false), emit::reduce(ctx, "ReduceSum", logs, {0}, false)};
}

/// No number where the determinant is negative.
OnnxValues logDeterminant(NodeContext& ctx)
{
    const OnnxValues parts = signAndLog(ctx);
    const OnnxValue isNegative = ctx.emit("Less", {parts[0], emit::scalarLike(ctx, parts[0], 0)});
    const OnnxValue none = emit::scalarLike(ctx, parts[1], std::numeric_limits<double>::quiet_NaN());
    return {ctx.emit("Where", {isNegative, none, parts[1]})};
}

} // namespace

std::span<const OpRow> linearSystemOps()
{
    static constexpr OpRow rows[] = {
        {"aten::inverse", inverse, "Scan"},
        {"aten::linalg_inv", inverse, "Scan"},
        {"aten::linalg_solve", solve, "Scan"},
        {"aten::linalg_solve_triangular", solveTriangular, "Trilu, Scan"},
        {"aten::det", determinant, "Det"},
        {"aten::linalg_det", determinant, "Det"},
        {"aten::linalg_slogdet", signAndLog, "Scan"},
        {"aten::logdet", logDeterminant, "Scan"},
        {"aten::slogdet", signAndLog, "Scan"},
        {"aten::linalg_cholesky", cholesky, "Scan"},
        {"aten::cholesky", cholesky, "Scan"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
