// Sums, means and maxima of rows of a table, in bags.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/segments.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// Bag i is the indices from its offset up to the next one, the last bag those up to the end or, with
/// include_last_offset, up to the last offset; the row `padding_idx` does not count.
OnnxValues embeddingBag(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue weight = arguments.tensor("weight");
    const OnnxValue indices = emit::cast(ctx, arguments.tensor("indices"), ElementType::Int64);
    const OnnxValue offsets = emit::cast(ctx, arguments.tensor("offsets"), ElementType::Int64);
    OnnxValue rows = emit::gather(ctx, weight, indices, 0);
    if (const OnnxValue factors = arguments.optional("per_sample_weights")) {
        rows = arithmetic::multiply(ctx, rows, emit::unsqueeze(ctx, factors, {1}));
    }
    // The number of offsets up to a place, less one, is its bag.
    const OnnxValue places = emit::unsqueeze(ctx, forms::countUp(ctx, indices, 0), {1});
    const OnnxValue isBefore = ctx.emit("Not", {ctx.emit("Greater", {emit::unsqueeze(ctx, offsets, {0}), places})});
    const OnnxValue one = ctx.onnx.ints({1});
    OnnxValue bags = ctx.emit(
        "Sub", {emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isBefore, ElementType::Int64), {1}, false), one});
    OnnxValue count = emit::dimVector(ctx, offsets, 0);
    const OnnxValue none = ctx.onnx.ints({-1});
    if (arguments.truth("include_last_offset")) {
        count = forms::sizes::minus(ctx, count, one);
        bags = ctx.emit("Where", {ctx.emit("Less", {bags, count}), bags, none});
    }
    if (arguments.has("padding_idx")) {
        std::int64_t padding = arguments.integer("padding_idx", -1);
        const bool isCounted = arguments.overload() == "padding_idx" || padding >= 0;
        padding = padding < 0 ? padding + ctx.fixedDim(weight, 0) : padding;
        if (isCounted) {
            const OnnxValue isPadding = ctx.emit("Equal", {indices, ctx.onnx.ints({padding})});
            bags = ctx.emit("Where", {isPadding, none, bags});
        }
    }
    // ONNX Runtime does not reduce half precision in bags.
    const ElementType own = ctx.element(rows);
    const ElementType type = own == ElementType::Float16 ? ElementType::Float32 : own;
    const forms::Segments segments{.rows = emit::cast(ctx, rows, type), .numbers = bags, .count = count};
    switch (arguments.integer("mode", 0)) {
    case 0:
        return {emit::cast(ctx, forms::segmentSum(ctx, segments), own)};
    case 1:
        return {emit::cast(ctx, forms::segmentMean(ctx, segments), own)};
    case 2:
        return {emit::cast(ctx, forms::segmentMaximum(ctx, segments, true), own)};
    default:
        ctx.invalid("the mode is not one of PyTorch's", "mode");
    }
}

} // namespace

std::span<const OpRow> embeddingBagOps()
{
    static constexpr OpRow rows[] = {
        {"aten::embedding_bag", embeddingBag, "Gather, ScatterND"},
        {"aten::_embedding_bag", embeddingBag, "Gather, ScatterND"},
        {"aten::_embedding_bag_forward_only", embeddingBag, "Gather, ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
