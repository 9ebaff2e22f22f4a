// The matrix products of multi-head attention over interleaved projections.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Projections {
    OnnxValue value; ///< length x (batch * heads) x parts x size, without the parts axis if there is only one part
    std::int64_t size = 0;
    std::int64_t heads = 0;
    std::int64_t parts = 0;
};

/// Splits the last dimension of (length, batch, heads * parts * size).
Projections projections(const NodeContext& ctx, OnnxValue x, std::int64_t parts)
{
    const std::int64_t heads = Attributes(ctx).integer("heads");
    if (ctx.rank(x) != 3) {
        ctx.invalid(fmt::format("{} requires projections of 3 dimensions", ctx.node.op));
    }
    const std::int64_t width = ctx.fixedDim(x, 2);
    if (heads < 1 || width % (heads * parts) != 0) {
        ctx.invalid(fmt::format("heads = {} does not divide {} features", heads, width), "heads");
    }
    const std::int64_t size = width / heads / parts;
    const Ints dims = parts == 1 ? Ints{0, -1, size} : Ints{0, -1, parts, size};
    return {emit::reshape(ctx, x, dims), size, heads, parts};
}

/// One of the parts, as (batch * heads, length, size) or with its last two axes swapped.
OnnxValue part(const NodeContext& ctx, const Projections& from, std::int64_t index, bool swapped)
{
    OnnxValue x = from.value;
    if (from.parts > 1) {
        x = emit::gather(ctx, x, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(index)), 2);
    }
    return emit::transpose(ctx, x, swapped ? Ints{1, 2, 0} : Ints{1, 0, 2});
}

/// Queries divided by the square root of their size, times keys.
OnnxValues scores(NodeContext& ctx, OnnxValue queries, OnnxValue keys, std::int64_t size)
{
    const OnnxValue scale = emit::scalarLike(ctx, queries, std::sqrt(static_cast<double>(size)));
    return {ctx.emit("MatMul", {ctx.emit("Div", {queries, scale}), keys})};
}

/// Attention times values, the heads concatenated again: (length, batch, heads * size).
OnnxValues weighted(NodeContext& ctx, const Projections& from, std::int64_t index)
{
    const OnnxValue values = part(ctx, from, index, false);
    OnnxValue y = emit::transpose(ctx, ctx.emit("MatMul", {ctx.input(1), values}), {1, 0, 2});
    const Dim length = ctx.shape(y)[0];
    y = emit::reshape(ctx, y, Ints{0, -1, from.heads * from.size});
    ctx.onnx.refine(y, {length, ctx.shape(ctx.input(0))[1], Dim(from.heads * from.size)});
    return {y};
}

OnnxValues selfScores(NodeContext& ctx)
{
    const Projections all = projections(ctx, ctx.input(0), 3);
    return scores(ctx, part(ctx, all, 0, false), part(ctx, all, 1, true), all.size);
}

OnnxValues selfValues(NodeContext& ctx)
{
    return weighted(ctx, projections(ctx, ctx.input(0), 3), 2);
}

OnnxValues crossScores(NodeContext& ctx)
{
    const Projections queries = projections(ctx, ctx.input(0), 1);
    const Projections keysAndValues = projections(ctx, ctx.input(1), 2);
    return scores(ctx, part(ctx, queries, 0, false), part(ctx, keysAndValues, 0, true), queries.size);
}

OnnxValues crossValues(NodeContext& ctx)
{
    return weighted(ctx, projections(ctx, ctx.input(0), 2), 1);
}

OnnxValues divSqrtDim(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Shape& shape = ctx.shape(x);
    if (shape.empty()) {
        ctx.invalid("div_sqrt_dim requires data of at least one dimension");
    }
    if (shape.back().isFixed()) {
        return {ctx.emit("Div", {x, emit::scalarLike(ctx, x, std::sqrt(static_cast<double>(shape.back().size)))})};
    }
    const OnnxValue size = emit::cast(ctx, emit::dimVector(ctx, x, -1), ElementType::Float32);
    return {ctx.emit("Div", {x, emit::cast(ctx, ctx.emit("Sqrt", {size}), ctx.element(x))})};
}

} // namespace

std::span<const OpRow> attentionOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_div_sqrt_dim", divSqrtDim, "Div"},
        {"_contrib_interleaved_matmul_encdec_qk", crossScores, "Reshape, Gather, Transpose, MatMul"},
        {"_contrib_interleaved_matmul_encdec_valatt", crossValues, "Reshape, Gather, Transpose, MatMul"},
        {"_contrib_interleaved_matmul_selfatt_qk", selfScores, "Reshape, Gather, Transpose, MatMul"},
        {"_contrib_interleaved_matmul_selfatt_valatt", selfValues, "Reshape, Gather, Transpose, MatMul"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
