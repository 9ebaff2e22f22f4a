// Diagonals and triangles by numpy's rules.

#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include "core/convert/emit.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// A vector as a diagonal matrix, or the diagonal of a matrix.
OnnxValues diag(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t offset = Attributes(ctx).integer("k", 0);
    if (ctx.rank(x) != 1 && ctx.rank(x) != 2) {
        ctx.invalid(fmt::format("diag of {} dimensions", ctx.rank(x)));
    }
    return {ctx.rank(x) == 1 ? matrixOfVector(ctx, x, offset) : diagonalAlong(ctx, x, 0, 1, offset)};
}

OnnxValue namedDiagonal(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t first = ctx.axis(attributes.integer("axis1", 0), ctx.rank(x), "axis1");
    const std::int64_t second = ctx.axis(attributes.integer("axis2", 1), ctx.rank(x), "axis2");
    if (first == second) {
        ctx.invalid("axis1 and axis2 are equal", "axis2");
    }
    return diagonalAlong(ctx, x, first, second, attributes.integer("offset", 0));
}

OnnxValues diagonal(NodeContext& ctx)
{
    return {namedDiagonal(ctx)};
}

OnnxValues trace(NodeContext& ctx)
{
    const OnnxValue found = namedDiagonal(ctx);
    return {reducedAlong(ctx, "ReduceSum", found, {static_cast<std::int64_t>(ctx.rank(found)) - 1}, false)};
}

OnnxValues diagFlat(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue flat = ctx.rank(x) == 1 ? x : reshapeTo(ctx, x, {restTerm()});
    return {matrixOfVector(ctx, flat, Attributes(ctx).integer("k", 0))};
}

/// Whether an element of the last two axes belongs to the lower triangle up to diagonal k.
OnnxValue lowerMask(const NodeContext& ctx, OnnxValue x, std::int64_t k)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const Dim& rows = ctx.shape(x)[static_cast<std::size_t>(rank - 2)];
    const Dim& columns = ctx.shape(x)[static_cast<std::size_t>(rank - 1)];
    if (rows.isFixed() && columns.isFixed()) {
        return computedConstant(ctx, ElementType::Bool, {rows.size, columns.size},
                                [k, width = columns.size](std::uint64_t index) {
                                    const auto place = static_cast<std::int64_t>(index);
                                    return place % width - place / width <= k ? 1.0 : 0.0;
                                });
    }
    const OnnxValue row = emit::unsqueeze(ctx, countUp(ctx, x, rank - 2), {1});
    const OnnxValue last = ctx.emit("Add", {row, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(k))});
    return ctx.emit("Not", {ctx.emit("Less", {last, countUp(ctx, x, rank - 1)})});
}

/// The lower triangle, zeros elsewhere; a vector counts as a matrix whose rows all equal it.
OnnxValues lowerTriangle(NodeContext& ctx)
{
    OnnxValue x = ctx.input(0);
    if (ctx.rank(x) == 0) {
        ctx.invalid("a scalar has no triangle");
    }
    if (ctx.rank(x) == 1) {
        const ShapeTerm size = termOf(ctx, x, {0});
        x = expandTo(ctx, x, {size, size});
    }
    const OnnxValue mask = lowerMask(ctx, x, Attributes(ctx).integer("k", 0));
    return {ctx.emit("Where", {mask, x, emit::scalarLike(ctx, x, 0)})};
}

/// The positions of the main diagonal: one row of indices per axis.
OnnxValues diagonalIndices(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) < 2) {
        ctx.invalid("a diagonal requires at least two dimensions");
    }
    const OnnxValue row = emit::unsqueeze(ctx, countUp(ctx, x, 0), {0});
    return {expandTo(ctx, row, {fixedTerm(static_cast<std::int64_t>(ctx.rank(x))), termOf(ctx, x, {0})})};
}

/// Ones on and below a diagonal.
OnnxValues triangle(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t rows = attributes.integer("N");
    const std::int64_t columns = attributes.integer("M", rows);
    const std::int64_t offset = attributes.integer("k", 0);
    if (rows < 0 || columns < 0) {
        ctx.invalid(fmt::format("a matrix of {} rows and {} columns", rows, columns), "N");
    }
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    return {computedConstant(ctx, type, {rows, columns}, [=](std::uint64_t index) {
        const auto place = static_cast<std::int64_t>(index);
        return place % columns <= place / columns + offset ? 1.0 : 0.0;
    })};
}

/// The upper triangle, zeros elsewhere.
OnnxValues upperTriangle(NodeContext& ctx)
{
    OnnxValue x = ctx.input(0);
    const std::int64_t offset = Attributes(ctx).integer("k", 0);
    if (ctx.rank(x) == 0) {
        ctx.invalid("a scalar has no triangle");
    }
    if (ctx.rank(x) == 1) {
        const ShapeTerm size = termOf(ctx, x, {0});
        x = expandTo(ctx, x, {size, size});
    }
    const std::int64_t columns = ctx.fixedDim(x, -1);
    const OnnxValue mask =
        computedConstant(ctx, ElementType::Bool, {ctx.fixedDim(x, -2), columns}, [=](std::uint64_t index) {
            const auto place = static_cast<std::int64_t>(index);
            return place % columns >= place / columns + offset ? 1.0 : 0.0;
        });
    return {ctx.emit("Where", {mask, x, emit::scalarLike(ctx, x, 0)})};
}

} // namespace

std::span<const OpRow> numpyDiagonalOps()
{
    static constexpr OpRow rows[] = {
        {"_np_diag", diag, "GatherND; Pad, Gather, Reshape of a vector"},
        {"_np_diagflat", diagFlat, "Pad, Gather, Reshape"},
        {"_np_diagonal", diagonal, "GatherND, Transpose"},
        {"_np_trace", trace, "GatherND, ReduceSum"},
        {"_npi_diag_indices_from", diagonalIndices, "Expand"},
        {"_npi_tri", triangle, "a constant"},
        {"_npi_tril", lowerTriangle, "Where"},
        {"_npi_triu", upperTriangle, "Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
