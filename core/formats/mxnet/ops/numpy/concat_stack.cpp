// Joins tensors by numpy's rules for tensors of low rank.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

OnnxValue atLeast(const NodeContext& ctx, OnnxValue x, std::size_t rank)
{
    if (ctx.rank(x) >= rank) {
        return x;
    }
    if (rank == 1) {
        return emit::unsqueeze(ctx, x, {0});
    }
    const OnnxValue fewer = atLeast(ctx, x, rank - 1);
    // A vector becomes a row; a matrix gets a last axis.
    return emit::unsqueeze(ctx, fewer, {rank == 2 ? 0 : 2});
}

template <std::size_t rank>
OnnxValues atLeast(NodeContext& ctx)
{
    OnnxValues results;
    for (const OnnxValue x : ctx.inputs()) {
        results.push_back(atLeast(ctx, x, rank));
    }
    return results;
}

OnnxValues joined(const NodeContext& ctx, std::size_t rank, std::int64_t axis)
{
    OnnxValues parts;
    for (const OnnxValue x : ctx.inputs()) {
        parts.push_back(atLeast(ctx, x, rank));
    }
    return {emit::concat(ctx, parts, axis)};
}

OnnxValues verticalStack(NodeContext& ctx)
{
    return joined(ctx, 2, 0);
}

OnnxValues horizontalStack(NodeContext& ctx)
{
    return joined(ctx, 1, ctx.rank(ctx.input(0)) > 1 ? 1 : 0);
}

OnnxValues depthStack(NodeContext& ctx)
{
    return joined(ctx, 3, 2);
}

OnnxValues columnStack(NodeContext& ctx)
{
    OnnxValues parts;
    for (const OnnxValue x : ctx.inputs()) {
        const OnnxValue vector = atLeast(ctx, x, 1);
        parts.push_back(ctx.rank(vector) == 1 ? emit::unsqueeze(ctx, vector, {1}) : vector);
    }
    return {emit::concat(ctx, parts, 1)};
}

OnnxValues concatenate(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    if (!attributes.isNone("axis")) {
        return {emit::concat(ctx, ctx.inputs(), ctx.axis(attributes.integer("axis", 0), ctx.rank(ctx.input(0))))};
    }
    OnnxValues parts;
    for (const OnnxValue x : ctx.inputs()) {
        parts.push_back(ctx.rank(x) == 1 ? x : reshapeTo(ctx, x, {restTerm()}));
    }
    return {emit::concat(ctx, parts, 0)};
}

} // namespace

std::span<const OpRow> numpyConcatStackOps()
{
    static constexpr OpRow rows[] = {
        {"_np_atleast_1d", atLeast<1>, "Unsqueeze"}, {"_np_atleast_2d", atLeast<2>, "Unsqueeze"},
        {"_np_atleast_3d", atLeast<3>, "Unsqueeze"}, {"_npi_column_stack", columnStack, "Concat"},
        {"_npi_concatenate", concatenate, "Concat"}, {"_npi_dstack", depthStack, "Unsqueeze, Concat"},
        {"_npi_hstack", horizontalStack, "Concat"},  {"_npi_vstack", verticalStack, "Unsqueeze, Concat"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
