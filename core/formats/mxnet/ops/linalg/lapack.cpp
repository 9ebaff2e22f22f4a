// MXNet's LAPACK operators except products: determinants, inverses, triangular systems, Cholesky's factor.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/reduction.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValue squareInput(const NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    if (ctx.rank(a) < 2 || ctx.fixedDim(a, -1) != ctx.fixedDim(a, -2)) {
        ctx.invalid(fmt::format("{} requires square matrices, not {}", ctx.node.op, toString(ctx.shape(a))));
    }
    return a;
}

/// One matrix yields a scalar, which exists only under numpy's rules.
OnnxValue reducedPivots(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    return hasNumpyShapes(ctx) ? reducedAlong(ctx, op, x, {0}, false) : reduced(ctx, op, x, {0}, false);
}

OnnxValues determinant(NodeContext& ctx)
{
    const OnnxValue a = squareInput(ctx);
    if (ctx.element(a) != ElementType::Float64) {
        const OnnxValue found = ctx.emit("Det", {a});
        return {ctx.rank(found) == 0 && !hasNumpyShapes(ctx) ? emit::reshape(ctx, found, Ints{1}) : found};
    }
    const linear::Pivots pivots = linear::pivots(ctx, a);
    return {reducedPivots(ctx, "ReduceProd", ctx.emit("Mul", {pivots.values, pivots.signs}))};
}

/// The determinant's sign, and the logarithm of its magnitude.
OnnxValues signAndLog(NodeContext& ctx)
{
    const linear::Pivots pivots = linear::pivots(ctx, squareInput(ctx));
    const OnnxValue signs = ctx.emit("Mul", {ctx.emit("Sign", {pivots.values}), pivots.signs});
    const OnnxValue logarithms = ctx.emit("Log", {ctx.emit("Abs", {pivots.values})});
    return {reducedPivots(ctx, "ReduceProd", signs), reducedPivots(ctx, "ReduceSum", logarithms)};
}

OnnxValues inverse(NodeContext& ctx)
{
    const OnnxValue a = squareInput(ctx);
    return {linear::solved(ctx, a, linear::identityLike(ctx, a))};
}

OnnxValue scaled(const NodeContext& ctx, OnnxValue x)
{
    const double alpha = Attributes(ctx).number("alpha", 1);
    return alpha == 1 ? x : ctx.emit("Mul", {x, emit::scalarLike(ctx, x, alpha)});
}

/// alpha op(A) B or alpha B op(A), reading only one triangle of A.
OnnxValues triangularProduct(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue a = linear::triangleOf(ctx, squareInput(ctx), attributes.boolean("lower", true));
    const bool transpose = attributes.boolean("transpose", false);
    const double alpha = attributes.number("alpha", 1);
    if (attributes.boolean("rightside", false)) {
        return {matrixProduct(ctx, ctx.input(1), a, false, transpose, alpha)};
    }
    return {matrixProduct(ctx, a, ctx.input(1), transpose, false, alpha)};
}

/// X with op(A) X = alpha B, or X op(A) = alpha B.
OnnxValues triangularSystem(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue a = linear::triangleOf(ctx, squareInput(ctx), attributes.boolean("lower", true));
    const bool transpose = attributes.boolean("transpose", false);
    const bool isRight = attributes.boolean("rightside", false);
    const OnnxValue b = scaled(ctx, ctx.input(1));
    const OnnxValue left = transpose != isRight ? transposedMatrices(ctx, a) : a;
    const OnnxValue x = linear::solved(ctx, left, isRight ? transposedMatrices(ctx, b) : b);
    return {isRight ? transposedMatrices(ctx, x) : x};
}

OnnxValues cholesky(NodeContext& ctx)
{
    const OnnxValue a = squareInput(ctx);
    if (Attributes(ctx).boolean("lower", true)) {
        return {linear::choleskyFactor(ctx, a)};
    }
    return {transposedMatrices(ctx, linear::choleskyFactor(ctx, transposedMatrices(ctx, a)))};
}

/// The inverse of the matrix whose Cholesky factor is the input.
OnnxValues inverseOfFactored(NodeContext& ctx)
{
    const bool isLower = Attributes(ctx).boolean("lower", true);
    const OnnxValue factor = linear::triangleOf(ctx, squareInput(ctx), isLower);
    const OnnxValue half = linear::solved(ctx, factor, linear::identityLike(ctx, factor));
    return {matrixProduct(ctx, half, half, isLower, !isLower)};
}

} // namespace

std::span<const OpRow> linalgOps()
{
    static constexpr OpRow rows[] = {
        {"_linalg_det", determinant, "Det, or Scan"}, {"_linalg_inverse", inverse, "Scan"},
        {"_linalg_potrf", cholesky, "Scan"},          {"_linalg_potri", inverseOfFactored, "Scan, MatMul"},
        {"_linalg_slogdet", signAndLog, "Scan"},      {"_linalg_trmm", triangularProduct, "Where, MatMul or Gemm"},
        {"_linalg_trsm", triangularSystem, "Scan"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
