#include "core/convert/forms/vision/grid_sampling.h"

#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/vision/image_sampling.h"

#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

/// From which opset ONNX Runtime samples a grid in single precision, and in double.
constexpr int gridSampleOpset = 16;
constexpr int doubleGridSampleOpset = 20;

/// (x, y, 1) of every place of the target, from -1 to 1: a constant (3, height * width).
OnnxValue regularPlaces(const NodeContext& ctx, GridSize target, ElementType type)
{
    const auto width = static_cast<std::uint64_t>(target.width);
    const auto count = static_cast<std::uint64_t>(target.height) * width;
    const auto place = [=](std::uint64_t index) {
        const std::uint64_t coordinate = index / count;
        const std::uint64_t along = coordinate == 0 ? index % width : index % count / width;
        const std::int64_t size = coordinate == 0 ? target.width : target.height;
        return coordinate == 2 ? 1 : static_cast<double>(along) * 2 / static_cast<double>(size - 1) - 1;
    };
    return computedConstant(ctx, type, {3, target.height * target.width}, place);
}

} // namespace

OnnxValue affineGrid(const NodeContext& ctx, OnnxValue matrices, GridSize target)
{
    const OnnxValue places = regularPlaces(ctx, target, ctx.element(matrices));
    const OnnxValue moved = ctx.emit("MatMul", {emit::reshape(ctx, matrices, {-1, 2, 3}), places});
    const OnnxValue grid = emit::reshape(ctx, moved, {0, 2, target.height, target.width});
    ctx.onnx.refine(grid, {ctx.shape(matrices)[0], Dim(2), Dim(target.height), Dim(target.width)});
    return grid;
}

OnnxValue warpedGrid(const NodeContext& ctx, OnnxValue flow)
{
    OnnxValues coordinates;
    const OnnxValues flows = emit::split(ctx, flow, 1, {1, 1});
    for (std::int64_t i = 0; i < 2; ++i) {
        const std::int64_t axis = i == 0 ? 3 : 2;
        const OnnxValue places = emit::cast(ctx, countUp(ctx, flow, axis), ctx.element(flow));
        const OnnxValue moved = ctx.emit(
            "Add", {flows[static_cast<std::size_t>(i)], axis == 2 ? emit::unsqueeze(ctx, places, {1}) : places});
        const OnnxValue size = emit::cast(ctx, emit::dimVector(ctx, flow, axis), ctx.element(flow));
        const OnnxValue last = ctx.emit("Sub", {size, emit::scalarLike(ctx, size, 1)});
        const OnnxValue half = ctx.emit("Div", {last, emit::scalarLike(ctx, size, 2)});
        coordinates.push_back(ctx.emit("Sub", {ctx.emit("Div", {moved, half}), emit::scalarLike(ctx, moved, 1)}));
    }
    return emit::concat(ctx, coordinates, 1);
}

OnnxValue sampledAlong(const NodeContext& ctx, OnnxValue images, OnnxValue grid)
{
    if (ctx.rank(images) != 4 || ctx.rank(grid) != 4) {
        ctx.invalid(fmt::format("{} requires images and a grid, both of 4 dimensions", ctx.node.op));
    }
    const Precision precision(ctx, images);
    const OnnxValue places = emit::cast(ctx, grid, precision.wide());
    const bool isDouble = precision.wide() == ElementType::Float64;
    if (ctx.onnx.opset() >= (isDouble ? doubleGridSampleOpset : gridSampleOpset)) {
        const OnnxValue pairs = emit::transpose(ctx, places, {0, 2, 3, 1});
        const OnnxValue y = ctx.emit("GridSample", {precision.widen(images), pairs},
                                     {{"mode", ctx.onnx.opset() >= 20 ? "linear" : "bilinear"},
                                      {"padding_mode", "zeros"},
                                      {"align_corners", 1}});
        return precision.restore(y);
    }
    const ImageSampler pixels(ctx, images);
    const OnnxValue one = ctx.onnx.scalar(precision.wide(), 1);
    const auto inPixels = [&](OnnxValue part, OnnxValue size) {
        const OnnxValue scaled = ctx.emit("Mul", {ctx.emit("Add", {part, one}), ctx.emit("Sub", {size, one})});
        return ctx.emit("Div", {scaled, ctx.onnx.scalar(precision.wide(), 2)});
    };
    const OnnxValues parts = emit::split(ctx, places, 1, {1, 1});
    const OnnxValue x = inPixels(emit::squeeze(ctx, parts[0], {1}), pixels.width());
    const OnnxValue y = inPixels(emit::squeeze(ctx, parts[1], {1}), pixels.height());
    const OnnxValue image = emit::unsqueeze(ctx, countUp(ctx, images, 0), {1, 2});
    const OnnxValue found = pixels.between(image, y, x, Beyond::Zero);
    const OnnxValue result = emit::transpose(ctx, found, {0, 3, 1, 2});
    ctx.onnx.refine(result, {ctx.shape(images)[0], ctx.shape(images)[1], ctx.shape(grid)[2], ctx.shape(grid)[3]});
    return precision.restore(result);
}

} // namespace crosswalk::forms
