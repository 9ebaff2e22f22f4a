// Determinants, inverses and solutions of the square matrices on the last two axes.

#include "core/convert/emit.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

OnnxValue transposed(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return emit::swapAxes(ctx, x, rank - 2, rank - 1);
}

OnnxValues determinant(NodeContext& ctx)
{
    return {ctx.emit("Det", {ctx.input(0)})};
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

constexpr OpRow rows[] = {
    {"Cholesky", cholesky, "Scan"},
    {"MatrixDeterminant", determinant, "Det"},
    {"MatrixInverse", inverse, "Scan"},
    {"MatrixSolve", solve, "Scan"},
};

} // namespace

std::span<const OpRow> linalgOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
