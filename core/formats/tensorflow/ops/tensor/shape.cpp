// Shapes, and tensors in other shapes.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

OnnxValues shape(NodeContext& ctx)
{
    return {emit::cast(ctx, emit::shapeVector(ctx, ctx.input(0)), Settings(ctx).elementType("out_type"))};
}

OnnxValues shapes(NodeContext& ctx)
{
    OnnxValues all;
    for (const OnnxValue x : ctx.inputs()) {
        all.push_back(emit::cast(ctx, emit::shapeVector(ctx, x), Settings(ctx).elementType("out_type")));
    }
    return all;
}

OnnxValues rank(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (const auto& known = ctx.onnx.shape(x)) {
        return {ctx.onnx.scalar(ElementType::Int32, static_cast<double>(known->size()))};
    }
    return {emit::cast(ctx, ctx.emit("Size", {ctx.emit("Shape", {x})}), ElementType::Int32)};
}

OnnxValues size(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType type = Settings(ctx).elementType("out_type");
    const auto& known = ctx.onnx.shape(x);
    if (const auto count = known ? elementCount(*known) : std::nullopt) {
        return {ctx.onnx.constant(Tensor::ints(std::array{*count}).reshaped({}).converted(type))};
    }
    return {emit::cast(ctx, sizeOf(ctx, x), type)};
}

/// The dimensions as numbers if at most one of them is open: that one is -1, which copies no dimension of an empty
/// tensor wrongly as ONNX's 0 would.
std::optional<Ints> dimensionsOf(const NodeContext& ctx, OnnxValue dims)
{
    if (const Tensor* stored = ctx.onnx.content(dims)) {
        return stored->toInts();
    }
    const auto known = ctx.onnx.integers(dims);
    if (!known) {
        return std::nullopt;
    }
    Ints values;
    for (const Dim& dim : *known) {
        values.push_back(dim.isFixed() ? dim.size : -1);
    }
    const bool isOne = std::ranges::count(values, -1) <= 1 && std::ranges::count(values, 0) == 0;
    return isOne ? std::optional(values) : std::nullopt;
}

OnnxValues reshape(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const auto dims = dimensionsOf(ctx, ctx.input(1));
    if (!dims) {
        // A computed 0 is a size, which ONNX supports from opset 14; before, it would copy the dimension.
        const OnnxValue computed = intVector(ctx, ctx.input(1));
        return {ctx.onnx.opset() < 14 ? emit::reshape(ctx, x, computed)
                                      : ctx.emit("Reshape", {x, computed}, {{"allowzero", 1}})};
    }
    if (std::ranges::any_of(*dims, [](auto dim) { return dim < -1; }) || std::ranges::count(*dims, -1) > 1) {
        ctx.invalid("the shape is invalid");
    }
    if (std::ranges::count(*dims, 0) == 0) {
        return {emit::reshape(ctx, x, *dims)};
    }
    if (ctx.onnx.opset() < 14) {
        ctx.refuse("ONNX supports reshaping to a dimension of 0 from opset 14", {}, "take --opset 14");
    }
    return {ctx.emit("Reshape", {x, ctx.onnx.ints(*dims)}, {{"allowzero", 1}})};
}

OnnxValues squeeze(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints axes = Settings(ctx).ints("squeeze_dims");
    if (axes.empty()) {
        const auto& known = ctx.onnx.shape(x);
        if (!known || !isFixed(*known)) {
            return {ctx.emit("Squeeze", {x})};
        }
        for (std::size_t i = 0; i < known->size(); ++i) {
            if ((*known)[i].size == 1) {
                axes.push_back(static_cast<std::int64_t>(i));
            }
        }
        return {emit::squeeze(ctx, x, axes)};
    }
    for (auto& axis : axes) {
        axis = ctx.axis(axis, ctx.rank(x), "squeeze_dims");
    }
    return {emit::squeeze(ctx, x, axes)};
}

OnnxValues expandDims(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const auto axis = knownInts(ctx, ctx.input(1));
    if (axis && axis->size() == 1) {
        const auto& known = ctx.onnx.shape(x);
        return {emit::unsqueeze(ctx, x, {known ? ctx.axis(axis->front(), known->size() + 1, "dim") : axis->front()})};
    }
    if (ctx.onnx.opset() < 13) {
        ctx.refuse("ONNX accepts a computed axis from opset 13", {}, "take --opset 13");
    }
    const OnnxValue y = ctx.emit("Unsqueeze", {x, intVector(ctx, ctx.input(1))});
    if (const auto& known = ctx.onnx.shape(x)) {
        ctx.onnx.refine(y, Shape(known->size() + 1));
    }
    return {y};
}

OnnxValues transpose(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints permutation = constantInts(ctx, 1, "the permutation");
    for (auto& axis : permutation) {
        axis = ctx.axis(axis, permutation.size(), "perm");
    }
    Ints sorted = permutation;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        ctx.invalid("the permutation has an axis twice");
    }
    return {emit::transpose(ctx, x, permutation)};
}

OnnxValues broadcastTo(NodeContext& ctx)
{
    return {emit::expand(ctx, ctx.input(0), intVector(ctx, ctx.input(1)))};
}

/// The shape that two shapes broadcast to.
OnnxValues broadcastArguments(NodeContext& ctx)
{
    const auto ones = [&](std::size_t i) { return filledTo(ctx, ElementType::Int32, 1, intVector(ctx, ctx.input(i))); };
    const OnnxValue both = ctx.emit("Add", {ones(0), ones(1)});
    return {emit::cast(ctx, emit::shapeVector(ctx, both), ctx.element(ctx.input(0)))};
}

OnnxValues tile(NodeContext& ctx)
{
    return {ctx.emit("Tile", {ctx.input(0), intVector(ctx, ctx.input(1))})};
}

/// Where each axis of the source format is in the other one.
Ints axesInFormat(const NodeContext& ctx)
{
    const Settings settings(ctx);
    const std::string from = settings.text("src_format");
    const std::string to = settings.text("dst_format");
    Ints places;
    for (const char axis : from) {
        const std::size_t place = to.find(axis);
        if (place == std::string::npos || from.size() != to.size()) {
            ctx.invalid(fmt::format("formats {} and {}", from, to), "dst_format");
        }
        places.push_back(static_cast<std::int64_t>(place));
    }
    return places;
}

/// Numbers of axes; negative ones count from the end.
OnnxValues mapAxes(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {emit::cast(ctx, emit::gather(ctx, ctx.onnx.ints(axesInFormat(ctx)), x, 0), ctx.element(x))};
}

/// The rows of a vector or a matrix, one for each axis. Without those of batch and channels there are two fewer.
OnnxValues permuteAxes(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Settings settings(ctx);
    const std::string from = settings.text("src_format");
    const std::string to = settings.text("dst_format");
    const Ints all = axesInFormat(ctx);
    const bool isSpatial = ctx.fixedDim(x, 0) + 2 == static_cast<std::int64_t>(all.size());
    if (!isSpatial && ctx.fixedDim(x, 0) != static_cast<std::int64_t>(all.size())) {
        ctx.invalid(fmt::format("{} rows for formats of {} axes", ctx.fixedDim(x, 0), all.size()));
    }
    const auto axes = [&](std::string format) {
        if (isSpatial) {
            std::erase_if(format, [](char axis) { return axis == 'N' || axis == 'C'; });
        }
        return format;
    };
    Ints order;
    for (const char axis : axes(to)) {
        order.push_back(static_cast<std::int64_t>(axes(from).find(axis)));
    }
    return {emit::gather(ctx, x, ctx.onnx.ints(order), 0)};
}

} // namespace

std::span<const OpRow> shapeOps()
{
    static constexpr OpRow rows[] = {
        {"BroadcastArgs", broadcastArguments, "Expand, Add, Shape"},
        {"BroadcastTo", broadcastTo, "Expand"},
        {"ConjugateTranspose", transpose, "Transpose"},
        {"DataFormatDimMap", mapAxes, "Gather"},
        {"DataFormatVecPermute", permuteAxes, "Gather"},
        {"ExpandDims", expandDims, "Unsqueeze"},
        {"Rank", rank, "Shape, Size"},
        {"Reshape", reshape, "Reshape"},
        {"Shape", shape, "Shape, Cast"},
        {"ShapeN", shapes, "Shape, Cast"},
        {"Size", size, "Size, Cast"},
        {"Squeeze", squeeze, "Squeeze"},
        {"Tile", tile, "Tile"},
        {"Transpose", transpose, "Transpose"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
