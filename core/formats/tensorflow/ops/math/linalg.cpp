// Determinants, inverses and solutions of the square matrices on the last two axes.

#include "core/convert/emit.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

OnnxValue transposed(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return emit::swapAxes(ctx, x, rank - 2, rank - 1);
}

OnnxValues determinant(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    if (ctx.element(a) == ElementType::Float32) {
        return {ctx.emit("Det", {a})};
    }
    // ONNX Runtime has no Det of doubles.
    const linear::Pivots pivots = linear::pivots(ctx, a);
    return {emit::reduce(ctx, "ReduceProd", ctx.emit("Mul", {pivots.values, pivots.signs}), {0}, false)};
}

OnnxValues inverse(NodeContext& ctx)
{
    OnnxValue a = ctx.input(0);
    if (Settings(ctx).boolean("adjoint")) {
        a = transposed(ctx, a);
    }
    return {linear::solved(ctx, a, linear::identityLike(ctx, a))};
}

OnnxValues solve(NodeContext& ctx)
{
    OnnxValue a = ctx.input(0);
    if (Settings(ctx).boolean("adjoint")) {
        a = transposed(ctx, a);
    }
    return {linear::solved(ctx, a, ctx.input(1))};
}

OnnxValues cholesky(NodeContext& ctx)
{
    return {linear::choleskyFactor(ctx, ctx.input(0))};
}

/// By one triangle of the matrices, whatever the other one holds.
OnnxValues triangularSolve(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue given = ctx.input(0);
    if (ctx.rank(given) != ctx.rank(ctx.input(1))) {
        ctx.refuse(fmt::format("matrices of {} and {} dimensions", ctx.rank(given), ctx.rank(ctx.input(1))));
    }
    for (std::size_t axis = 0; axis + 2 < ctx.rank(given); ++axis) {
        if (ctx.shape(given)[axis] != ctx.shape(ctx.input(1))[axis]) {
            ctx.refuse("broadcasting of the matrices", {}, "repeat them before");
        }
    }
    OnnxValue a = linear::triangleOf(ctx, given, settings.boolean("lower"));
    if (settings.boolean("adjoint")) {
        a = transposed(ctx, a);
    }
    return {linear::solved(ctx, a, ctx.input(1))};
}

/// The sign of the determinant and the logarithm of its magnitude.
OnnxValues logDeterminant(NodeContext& ctx)
{
    const linear::Pivots pivots = linear::pivots(ctx, ctx.input(0));
    const OnnxValue signs = ctx.emit("Mul", {pivots.signs, ctx.emit("Sign", {pivots.values})});
    const OnnxValue logarithms = ctx.emit("Log", {ctx.emit("Abs", {pivots.values})});
    return {emit::reduce(ctx, "ReduceProd", signs, {0}, false), emit::reduce(ctx, "ReduceSum", logarithms, {0}, false)};
}

} // namespace

std::span<const OpRow> linalgOps()
{
    static constexpr OpRow rows[] = {
        {"BatchCholesky", cholesky, "Scan"},
        {"BatchMatrixDeterminant", determinant, "Det"},
        {"BatchMatrixInverse", inverse, "Scan"},
        {"BatchMatrixSolve", solve, "Scan"},
        {"BatchMatrixTriangularSolve", triangularSolve, "Scan"},
        {"Cholesky", cholesky, "Scan"},
        {"LogMatrixDeterminant", logDeterminant, "Scan"},
        {"MatrixDeterminant", determinant, "Det"},
        {"MatrixInverse", inverse, "Scan"},
        {"MatrixSolve", solve, "Scan"},
        {"MatrixTriangularSolve", triangularSolve, "Scan"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
