// Linear algebra by numpy's names, and linear systems by its rules.

#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/spectrum.h"

#include "core/convert/emit.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValue squareMatrices(const NodeContext& ctx, OnnxValue a)
{
    const bool isFloat = ctx.element(a) == ElementType::Float32 || ctx.element(a) == ElementType::Float64;
    if (!isFloat || ctx.rank(a) < 2 || ctx.fixedDim(a, -1) != ctx.fixedDim(a, -2)) {
        ctx.invalid(fmt::format("{} requires square matrices of floats, not {}", ctx.node.op, toString(ctx.shape(a))));
    }
    return a;
}

OnnxValues cholesky(NodeContext& ctx)
{
    const OnnxValue a = squareMatrices(ctx, ctx.input(0));
    const OnnxValue factor = linear::choleskyFactor(ctx, a);
    return {Attributes(ctx).boolean("lower", true) ? factor : transposedMatrices(ctx, factor)};
}

/// Solves a x = b for x; b may be a vector for each matrix.
OnnxValues solve(NodeContext& ctx)
{
    const OnnxValue a = squareMatrices(ctx, ctx.input(0));
    const OnnxValue b = ctx.input(1);
    const auto last = static_cast<std::int64_t>(ctx.rank(b));
    if (ctx.rank(b) != ctx.rank(a) && ctx.rank(b) + 1 != ctx.rank(a)) {
        ctx.invalid(fmt::format("systems of {} dimensions with right-hand sides of {}", ctx.rank(a), ctx.rank(b)));
    }
    if (ctx.rank(b) == ctx.rank(a)) {
        return {linear::solved(ctx, a, b)};
    }
    return {emit::squeeze(ctx, linear::solved(ctx, a, emit::unsqueeze(ctx, b, {last})), {last})};
}

std::int64_t fixedProduct(const NodeContext& ctx, OnnxValue x, std::size_t from, std::size_t to)
{
    std::int64_t product = 1;
    for (std::size_t i = from; i < to; ++i) {
        product *= ctx.fixedDim(x, static_cast<std::int64_t>(i));
    }
    return product;
}

/// The inverse of a tensor as a map from its last axes to its first `ind`.
OnnxValues tensorInverse(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const std::int64_t given = Attributes(ctx).integer("ind", 2);
    if (given < 1 || given > static_cast<std::int64_t>(ctx.rank(a))) {
        ctx.invalid(fmt::format("ind = {} of {} dimensions", given, ctx.rank(a)), "ind");
    }
    const auto border = static_cast<std::size_t>(given);
    const std::int64_t size = fixedProduct(ctx, a, 0, border);
    const ShapeTerms own = termsOf(ctx, a);
    ShapeTerms terms(own.iteratorAt(given), own.end());
    terms.insert(terms.end(), own.begin(), own.iteratorAt(given));
    const OnnxValue square = reshapeTo(ctx, a, {fixedTerm(size), restTerm()}, "ind");
    const OnnxValue matrix = squareMatrices(ctx, square);
    return {reshapeTo(ctx, linear::solved(ctx, matrix, linear::identityLike(ctx, matrix)), terms, "ind")};
}

/// The tensor that a maps to b, after the node's axes are moved to the end of a.
OnnxValues tensorSolve(NodeContext& ctx)
{
    const OnnxValue b = ctx.input(1);
    const std::size_t rank = ctx.rank(ctx.input(0));
    Ints order;
    Ints moved = Attributes(ctx).ints("a_axes");
    for (auto& axis : moved) {
        axis = ctx.axis(axis, rank, "a_axes");
    }
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
        if (std::find(moved.begin(), moved.end(), i) == moved.end()) {
            order.push_back(i);
        }
    }
    order.insert(order.end(), moved.begin(), moved.end());
    if (order.size() != rank || rank < ctx.rank(b)) {
        ctx.invalid("the axes do not fit the tensors", "a_axes");
    }
    const OnnxValue a = emit::transpose(ctx, ctx.input(0), order);
    const std::int64_t size = fixedProduct(ctx, b, 0, ctx.rank(b));
    const ShapeTerms own = termsOf(ctx, a);
    const ShapeTerms terms(own.iteratorAt(ctx.rank(b)), own.end());
    const OnnxValue matrix = squareMatrices(ctx, reshapeTo(ctx, a, {fixedTerm(size), restTerm()}, "a_axes"));
    const OnnxValue column = reshapeTo(ctx, b, {fixedTerm(size), fixedTerm(1)});
    return {reshapeTo(ctx, linear::solved(ctx, matrix, column), terms, "a_axes")};
}

} // namespace

std::span<const OpRow> numpyLinalgOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_cholesky", cholesky, "Scan"},
        {"_npi_eigh", spectrum::symmetricEigen, "Loop of rotations"},
        {"_npi_eigvalsh", spectrum::symmetricValues, "Loop of rotations"},
        {"_npi_matrix_rank", spectrum::matrixRank, "Loop of rotations, ReduceSum"},
        {"_npi_matrix_rank_none_tol", spectrum::matrixRank, "Loop of rotations, ReduceSum"},
        {"_npi_pinv", spectrum::pseudoInverse, "Loop of rotations, MatMul"},
        {"_npi_pinv_scalar_rcond", spectrum::pseudoInverseOfNumber, "Loop of rotations, MatMul"},
        {"_npi_solve", solve, "Scan"},
        {"_npi_svd", spectrum::singularValues, "Loop of rotations"},
        {"_npi_tensorinv", tensorInverse, "Reshape, Scan"},
        {"_npi_tensorsolve", tensorSolve, "Transpose, Reshape, Scan"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
