// Products of matrices.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/equal_shapes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {

namespace {

/// Moves the first axis behind the others.
OnnxValue firstToLast(const NodeContext& ctx, OnnxValue x)
{
    Ints axes(ctx.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    std::rotate(axes.begin(), axes.iteratorAt(1), axes.end());
    return emit::transpose(ctx, x, axes);
}

OnnxValue lastToFirst(const NodeContext& ctx, OnnxValue x)
{
    Ints axes(ctx.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    std::rotate(axes.begin(), axes.iteratorAt(axes.size() - 1), axes.end());
    return emit::transpose(ctx, x, axes);
}

/// The last axis of the first tensor against the first of the second; with transpose_a its first, with transpose_b the
/// last of the second. The result has all other axes in order.
OnnxValues dot(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool transposeA = attributes.boolean("transpose_a", false);
    const bool transposeB = attributes.boolean("transpose_b", false);
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    expectEqualTypes(ctx, 2);
    if (ctx.rank(a) == 0 || ctx.rank(b) == 0) {
        ctx.invalid("dot does not accept scalars");
    }
    if (ctx.rank(a) == 2 && ctx.rank(b) == 2) {
        return {matrixProduct(ctx, a, b, transposeA, transposeB)};
    }
    const OnnxValue left = transposeA ? firstToLast(ctx, a) : a;
    const OnnxValue right = transposeB ? lastToFirst(ctx, b) : b;
    if (ctx.rank(right) <= 2) {
        const OnnxValue product = matrixProduct(ctx, left, right, false, false);
        return {ctx.rank(product) == 0 ? emit::reshape(ctx, product, Ints{1}) : product};
    }
    const ShapeTerms columns = termsOf(ctx, right);
    const OnnxValue flat = reshapeTo(ctx, right, {columns.front(), restTerm()});
    const OnnxValue product = matrixProduct(ctx, left, flat, false, false);
    ShapeTerms terms = termsOf(ctx, product);
    terms.pop_back();
    terms.insert(terms.end(), columns.iteratorAt(1), columns.end());
    return {reshapeTo(ctx, product, terms)};
}

OnnxValues batchDot(NodeContext& ctx)
{
    expectEqualTypes(ctx, 2);
    const Attributes attributes(ctx);
    if (ctx.rank(ctx.input(0)) < 3 || ctx.rank(ctx.input(0)) != ctx.rank(ctx.input(1))) {
        ctx.invalid(fmt::format("batch_dot requires two tensors of equal rank of at least 3, not {} and {}",
                                ctx.rank(ctx.input(0)), ctx.rank(ctx.input(1))));
    }
    return {matrixProduct(ctx, ctx.input(0), ctx.input(1), attributes.boolean("transpose_a", false),
                          attributes.boolean("transpose_b", false))};
}

/// Moves the row axis of the node's matrices next to the last axis.
class RowAxis {
public:
    explicit RowAxis(const NodeContext& ctx)
        : m_ctx(ctx)
    {
        const std::size_t rank = ctx.rank(ctx.input(0));
        m_axis = ctx.axis(Attributes(ctx).integer("axis", -2), rank);
        m_place = static_cast<std::int64_t>(rank) - 2;
        if (m_axis > m_place) {
            ctx.invalid("the row axis cannot be the last", "axis");
        }
    }
    OnnxValue in(OnnxValue x) const { return moved(x, m_axis, m_place); }
    OnnxValue out(OnnxValue x) const { return moved(x, m_place, m_axis); }

private:
    OnnxValue moved(OnnxValue x, std::int64_t from, std::int64_t to) const
    {
        Ints axes(m_ctx.rank(x));
        std::iota(axes.begin(), axes.end(), 0);
        axes.eraseAt(from);
        axes.insert(axes.iteratorAt(to), from);
        return emit::transpose(m_ctx, x, axes);
    }

    const NodeContext& m_ctx;
    std::int64_t m_axis = 0;
    std::int64_t m_place = 0;
};

OnnxValue productOfInputs(const NodeContext& ctx, const RowAxis& rows)
{
    const Attributes attributes(ctx);
    expectEqualTypes(ctx, ctx.inputCount());
    return matrixProduct(ctx, rows.in(ctx.input(0)), rows.in(ctx.input(1)), attributes.boolean("transpose_a", false),
                         attributes.boolean("transpose_b", false), attributes.number("alpha", 1));
}

OnnxValues gemm2(NodeContext& ctx)
{
    const RowAxis rows(ctx);
    return {rows.out(productOfInputs(ctx, rows))};
}

OnnxValues gemm(NodeContext& ctx)
{
    const RowAxis rows(ctx);
    const double beta = Attributes(ctx).number("beta", 1);
    const OnnxValue product = productOfInputs(ctx, rows);
    const OnnxValue added = rows.in(ctx.input(2));
    const OnnxValue scaled = beta == 1 ? added : ctx.emit("Mul", {added, emit::scalarLike(ctx, added, beta)});
    return {rows.out(ctx.emit("Add", {product, scaled}))};
}

OnnxValues syrk(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool transpose = attributes.boolean("transpose", false);
    return {matrixProduct(ctx, ctx.input(0), ctx.input(0), transpose, !transpose, attributes.number("alpha", 1))};
}

/// The columns of the result are the Kronecker products of the factors' columns.
OnnxValues khatriRao(NodeContext& ctx)
{
    OnnxValue product = ctx.input(0);
    for (std::size_t i = 1; i < ctx.inputCount(); ++i) {
        const OnnxValue left = emit::unsqueeze(ctx, product, {1});
        const OnnxValue pairs = arithmetic::multiply(ctx, left, emit::unsqueeze(ctx, ctx.input(i), {0}));
        product = reshapeTo(ctx, pairs, {restTerm(), termOf(ctx, pairs, {2})});
    }
    return {product};
}

} // namespace

std::span<const OpRow> matrixOps()
{
    static constexpr OpRow rows[] = {
        {"_linalg_gemm", gemm, "MatMul, Add"},
        {"_linalg_gemm2", gemm2, "MatMul or Gemm"},
        {"_linalg_syrk", syrk, "Gemm, or Transpose and MatMul"},
        {"batch_dot", batchDot, "MatMul"},
        {"dot", dot, "MatMul or Gemm"},
        {"khatri_rao", khatriRao, "Mul, Reshape"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
