// TopK, Unique and UnravelIndex.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Of equal elements the one with the lower index comes first.
OnnxValues topK(NodeContext& ctx, OnnxValue count)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const OnnxValues found =
        ctx.onnx.add("TopK", {arithmetic::sortable(ctx, x), count}, {{"axis", -1}, {"sorted", 1}}, 2);
    const bool isTyped = Settings(ctx).has("index_type");
    const ElementType index = isTyped ? Settings(ctx).elementType("index_type") : ElementType::Int32;
    return {arithmetic::fromOrderedInt64(ctx, found[0], own), emit::cast(ctx, found[1], index)};
}

OnnxValues topKByAttribute(NodeContext& ctx)
{
    return topK(ctx, ctx.onnx.ints({Settings(ctx).integer("k")}));
}

OnnxValues topKByOperand(NodeContext& ctx)
{
    return topK(ctx, intVector(ctx, ctx.input(1)));
}

/// Values in the order of their first occurrence, for each element its value's number, and how often each occurs.
OnnxValues uniqueOf(const NodeContext& ctx, const OnnxAttributes& attributes)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType type = widened(own) == ElementType::Int32 || own == ElementType::UInt64 ? ElementType::Int64
                             : own == ElementType::Float16                                    ? ElementType::Float32
                                                                                              : widened(own);
    const OnnxValues found = ctx.onnx.add("Unique", {emit::cast(ctx, x, type)}, attributes, 4);
    const ElementType index = Settings(ctx).elementType("out_idx");
    return {emit::cast(ctx, found[0], own), emit::cast(ctx, found[2], index), emit::cast(ctx, found[3], index)};
}

OnnxValues unique(NodeContext& ctx)
{
    return uniqueOf(ctx, {{"sorted", 0}});
}

/// Along one axis, whose slices are compared; without an axis the tensor is a vector.
OnnxValues uniqueAlongAxis(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints axes = constantInts(ctx, 1, "the axis");
    if (axes.size() > 1) {
        ctx.invalid(fmt::format("{} axes instead of 1", axes.size()));
    }
    const std::int64_t axis = axes.empty() ? 0 : ctx.axis(axes.front(), ctx.rank(x));
    return ctx.rank(x) == 1 ? unique(ctx) : uniqueOf(ctx, {{"axis", axis}, {"sorted", 0}});
}

/// The index along each of some dimensions, of flat indices through all of them.
OnnxValues unravelIndex(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints dims = constantInts(ctx, 1, "the dimensions");
    OnnxValues parts;
    OnnxValue rest = asInt64(ctx, x);
    for (std::size_t i = dims.size(); i-- > 0;) {
        if (dims[i] < 1) {
            ctx.invalid("a dimension is not positive");
        }
        const OnnxValue size = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(dims[i]));
        parts.insert(parts.begin(), emit::unsqueeze(ctx, ctx.emit("Mod", {rest, size}), {0}));
        rest = ctx.emit("Div", {rest, size});
    }
    return {emit::cast(ctx, emit::concat(ctx, parts, 0), ctx.element(x))};
}

} // namespace

std::span<const OpRow> sortingOps()
{
    static constexpr OpRow rows[] = {
        {"TopK", topKByAttribute, "TopK"},
        {"TopKV2", topKByOperand, "TopK"},
        {"Unique", unique, "Unique"},
        {"UniqueV2", uniqueAlongAxis, "Unique"},
        {"UniqueWithCounts", unique, "Unique"},
        {"UniqueWithCountsV2", uniqueAlongAxis, "Unique"},
        {"UnravelIndex", unravelIndex, "Mod, Div, Concat"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
