// Elements written to positions.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/pytorch/ops/index_tuples.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <limits>

namespace crosswalk::pytorch {
namespace {

void requireReduction(const NodeContext& ctx)
{
    constexpr int firstReduction = 16;
    if (ctx.onnx.opset() < firstReduction) {
        ctx.refuse("adding at indices requires opset 16", {}, "take --opset 16 or later");
    }
}

OnnxValues scatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue index = arguments.tensor("index");
    if (arguments.has("reduce")) {
        ctx.refuse("scattering with a reduction is not supported", "reduce");
    }
    OnnxValue source;
    if (arguments.has("src")) {
        source = cutTo(ctx, arguments.tensor("src"), index);
    } else {
        source = emit::expand(ctx, operand(ctx, arguments, "value", ctx.element(x)), emit::shapeVector(ctx, index));
    }
    return {ctx.emit("ScatterElements", {x, index, source}, {{"axis", arguments.axis("dim", 0, ctx.rank(x))}})};
}

OnnxValues scatterAdd(NodeContext& ctx)
{
    requireReduction(ctx);
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue index = arguments.tensor("index");
    return {ctx.emit("ScatterElements", {x, index, cutTo(ctx, arguments.tensor("src"), index)},
                     {{"axis", arguments.axis("dim", 0, ctx.rank(x))}, {"reduction", "add"}})};
}

/// Rows along an axis: the index is a vector.
OnnxValues indexAdd(NodeContext& ctx)
{
    requireReduction(ctx);
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    OnnxValue source = arguments.tensor("source");
    if (const double alpha = arguments.number("alpha", 1); alpha != 1) {
        source = forms::arithmetic::multiply(ctx, source, emit::scalarLike(ctx, source, alpha));
    }
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    OnnxValue index = arguments.tensor("index");
    Ints axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(source)); ++i) {
        if (i != axis) {
            axes.push_back(i);
        }
    }
    index = axes.empty() ? index : emit::unsqueeze(ctx, index, axes);
    index = emit::expand(ctx, index, emit::shapeVector(ctx, source));
    return {ctx.emit("ScatterElements", {x, index, source}, {{"axis", axis}, {"reduction", "add"}})};
}

/// Integer indices of the first axes, which are broadcast together.
OnnxValues indexPut(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    OnnxValues indices = arguments.tensors("indices");
    while (!indices.empty() && !indices.back()) {
        indices.pop_back();
    }
    for (const OnnxValue index : indices) {
        if (!index || ctx.element(index) == ElementType::Bool || ctx.element(index) == ElementType::UInt8) {
            ctx.refuse("writing is supported for integer indices of the first axes only", "indices");
        }
    }
    if (indices.empty()) {
        ctx.refuse("writing without indices is not supported", "indices");
    }
    const bool accumulates = arguments.truth("accumulate");
    if (accumulates) {
        requireReduction(ctx);
    }
    const IndexTuples tuples = indexTuples(ctx, indices);
    // The values are broadcast to the selected elements: the axes of the indices, then the other axes.
    OnnxValue sizes = tuples.shape;
    for (std::size_t i = indices.size(); i < ctx.rank(x); ++i) {
        sizes = emit::concat(ctx, {sizes, emit::dimVector(ctx, x, static_cast<std::int64_t>(i))}, 0);
    }
    const OnnxValue values = emit::expand(ctx, emit::cast(ctx, arguments.tensor("values"), ctx.element(x)), sizes);
    return {accumulates ? ctx.emit("ScatterND", {x, tuples.places, values}, {{"reduction", "add"}})
                        : ctx.emit("ScatterND", {x, tuples.places, values})};
}

/// x with the part [start, end) of an axis replaced.
OnnxValue withPart(const NodeContext& ctx, OnnxValue x, OnnxValue part, std::int64_t axis, std::int64_t start,
                   std::int64_t end)
{
    OnnxValues parts;
    if (start > 0) {
        parts.push_back(emit::slice(ctx, x, Ints{0}, Ints{start}, Ints{axis}));
    }
    parts.push_back(part);
    if (end < ctx.fixedDim(x, axis)) {
        parts.push_back(emit::slice(ctx, x, Ints{end}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{axis}));
    }
    return parts.size() == 1 ? part : emit::concat(ctx, parts, axis);
}

OnnxValues sliceScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const std::int64_t size = ctx.fixedDim(x, axis);
    const auto within = [&](std::int64_t index) {
        return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
    };
    if (arguments.integer("step", 1) != 1) {
        ctx.refuse("replacing every other element is not supported", "step");
    }
    const std::int64_t start = within(arguments.integer("start", 0));
    const std::int64_t end = std::max(start, within(arguments.integer("end", size)));
    return {withPart(ctx, x, emit::cast(ctx, arguments.tensor("src"), ctx.element(x)), axis, start, end)};
}

OnnxValues selectScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const std::int64_t index =
        ctx.axis(arguments.integer("index", 0), static_cast<std::size_t>(ctx.fixedDim(x, axis)), "index");
    const OnnxValue source = emit::cast(ctx, arguments.tensor("src"), ctx.element(x));
    return {withPart(ctx, x, emit::unsqueeze(ctx, source, {axis}), axis, index, index + 1)};
}

OnnxValues take(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::gather(ctx, emit::reshape(ctx, arguments.tensor("self"), Ints{-1}), arguments.tensor("index"), 0)};
}

constexpr OpRow rows[] = {
    {"aten::scatter", scatter, "ScatterElements"},
    {"aten::scatter_add", scatterAdd, "ScatterElements"},
    {"aten::index_add", indexAdd, "ScatterElements"},
    {"aten::index_put", indexPut, "ScatterND"},
    {"aten::slice_scatter", sliceScatter, "Slice, Concat"},
    {"aten::select_scatter", selectScatter, "Slice, Concat"},
    {"aten::take", take, "Reshape, Gather"},
};

} // namespace

std::span<const OpRow> scatterOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
