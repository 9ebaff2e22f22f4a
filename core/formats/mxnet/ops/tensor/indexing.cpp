// Elements picked by their indices.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/indices.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/equal_shapes.h"
#include "core/graph/shape_fit.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// Attribute mode of the node.
OutOfRange outOfRange(const NodeContext& ctx)
{
    const std::string mode = Attributes(ctx).choice("mode", {"clip", "wrap", "raise"}, "clip");
    return mode == "clip" ? OutOfRange::Clip : mode == "wrap" ? OutOfRange::Wrap : OutOfRange::Raise;
}

OnnxValues embedding(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    ctx.expectWeight(1, {Dim(attributes.integer("input_dim")), Dim(attributes.integer("output_dim"))});
    const OnnxValue table = ctx.input(1);
    return {emit::gather(ctx, table, indicesInto(ctx, table, 0, ctx.input(0), OutOfRange::Clip), 0)};
}

OnnxValues take(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(Attributes(ctx).integer("axis", 0), ctx.rank(x));
    return {emit::gather(ctx, x, indicesInto(ctx, x, axis, ctx.input(1), outOfRange(ctx)), axis)};
}

/// The element of each row (all axes but one) at its index.
OnnxValue picked(const NodeContext& ctx, OnnxValue x, OnnxValue indices, std::int64_t axis, bool keepDims)
{
    const bool isFlat = ctx.rank(indices) < ctx.rank(x);
    const OnnxValue places = isFlat ? emit::unsqueeze(ctx, indices, {axis}) : indices;
    // GatherElements accepts fewer indices, and ignores the other rows.
    Shape wanted = ctx.shape(x);
    wanted[static_cast<std::size_t>(axis)] = Dim(1);
    if (!fitsShape(ctx.shape(places), wanted)) {
        ctx.invalid(fmt::format("indices {} do not select an element along axis {} of {}", toString(ctx.shape(indices)),
                                axis, toString(ctx.shape(x))),
                    "axis");
    }
    const OnnxValue found = ctx.emit("GatherElements", {x, places}, {{"axis", axis}});
    return keepDims ? found : emit::squeeze(ctx, found, {axis});
}

OnnxValues pick(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool keepDims = attributes.boolean("keepdims", false);
    OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    if (attributes.isNone("axis") && rank > 1) {
        x = reshapeTo(ctx, x, {restTerm()});
        const OnnxValue place = emit::reshape(ctx, indicesInto(ctx, x, 0, ctx.input(1), outOfRange(ctx)), Ints{1});
        const OnnxValue found = ctx.emit("GatherElements", {x, place}, {{"axis", 0}});
        return {keepDims ? emit::reshape(ctx, found, Ints(rank, 1)) : found};
    }
    const std::int64_t axis = ctx.axis(attributes.integer("axis", -1), rank);
    const OnnxValue indices = indicesInto(ctx, x, axis, ctx.input(1), outOfRange(ctx));
    if (rank == 1) { // the index of the only remaining element
        return {ctx.emit("GatherElements", {x, indices}, {{"axis", 0}})};
    }
    return {picked(ctx, x, indices, axis, keepDims)};
}

/// The element of each row of a matrix at the index of the row. The result has the shape of the indices.
OnnxValues batchTake(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue indices = ctx.input(1);
    if (ctx.rank(x) > 2) {
        ctx.invalid(fmt::format("it takes elements from the rows of a matrix, but the data has shape {}",
                                toString(ctx.shape(x))));
    }
    const bool isFlat = ctx.rank(indices) == 1;
    const OnnxValue places = isFlat ? indices : reshapeTo(ctx, indices, {restTerm()});
    const OnnxValue found = picked(ctx, x, indicesInto(ctx, x, 1, places, OutOfRange::Clip), 1, false);
    return {isFlat ? found : reshapeTo(ctx, found, termsOf(ctx, indices))};
}

OnnxValues where(NodeContext& ctx)
{
    expectEqualShapes(ctx, 1);
    OnnxValue condition = emit::cast(ctx, ctx.input(0), ElementType::Bool);
    const OnnxValue x = ctx.input(1);
    const std::size_t rank = ctx.rank(x);
    if (ctx.rank(condition) == 1 && rank > 1) { // one result per row
        Ints trailing(rank - 1);
        std::iota(trailing.begin(), trailing.end(), 1);
        condition = emit::unsqueeze(ctx, condition, trailing);
    }
    const ElementType own = ctx.element(x);
    const bool isLacking = own == ElementType::Bool || own == ElementType::Int16 || own == ElementType::UInt16;
    return {computedAs(ctx, isLacking ? ElementType::Int32 : own, x, ctx.input(2), [&](OnnxValue a, OnnxValue b) {
        return ctx.emit("Where", {condition, a, b});
    })};
}

} // namespace

std::span<const OpRow> indexingOps()
{
    static constexpr OpRow rows[] = {
        {"Embedding", embedding, "Clip, Gather"},
        {"_contrib_SparseEmbedding", embedding, "Clip, Gather"},
        {"batch_take", batchTake, "Clip, GatherElements, Reshape"},
        {"pick", pick, "Clip, GatherElements"},
        {"take", take, "Clip, Gather"},
        {"where", where, "Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
