// Parts of images: ExtractImagePatches and CropAndResize.

#include "core/convert/forms/vision/box_crops.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The elements of windows at each place, on the channels: by row, column and channel. Windows of one row are taken
/// first, then columns of those.
OnnxValue patchesOf(const NodeContext& ctx, OnnxValue padded, const Window& window)
{
    Window row = window;
    row.kernel[0] = row.stride[0] = row.dilate[0] = 1;
    Window column = window;
    column.kernel[1] = column.stride[1] = column.dilate[1] = 1;
    const OnnxValue rows = emit::concat(ctx, windowSlices(ctx, padded, row), 1);
    return emit::concat(ctx, windowSlices(ctx, rows, column), 1);
}

OnnxValues extractPatches(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue given = ctx.input(0);
    if (ctx.rank(given) != 4) {
        ctx.invalid(fmt::format("images must have 4 dimensions, not {}", ctx.rank(given)));
    }
    Window window;
    window.kernel = spatialOf(ctx, settings.ints("ksizes"), true, "ksizes");
    window.stride = spatialOf(ctx, settings.ints("strides"), true, "strides");
    window.dilate = spatialOf(ctx, settings.ints("rates"), true, "rates");
    const OnnxValue x = toChannelsFirst(ctx, given);
    const WindowPadding padding = paddingOf(ctx, settings, x, window, true, 0);
    if (padding.isSame) {
        ctx.refuse("patches with padding SAME require images of fixed size", "padding", "fix the shapes of the inputs");
    }
    const OnnxValue padded = padSpatial(ctx, padding.x, padding.begin, padding.end, 0);
    return {toChannelsLast(ctx, patchesOf(ctx, padded, window))};
}

/// Crops boxes (y1, x1, y2, x2), relative to the image size, out of the images in box_ind and resizes them to a common
/// size.
OnnxValues cropAndResize(NodeContext& ctx)
{
    const Settings settings(ctx);
    const std::string method = settings.text("method");
    if (method != "bilinear" && method != "nearest") {
        ctx.invalid(fmt::format("method {} must be bilinear or nearest", method), "method");
    }
    const bool isNearest = method == "nearest";
    return {boxCrops(ctx, {.images = ctx.input(0),
                           .boxes = ctx.input(1),
                           .imageOfBox = ctx.input(2),
                           .size = intVector(ctx, ctx.input(3)),
                           .isNearest = isNearest,
                           .beyond = settings.number("extrapolation_value")})};
}

} // namespace

std::span<const OpRow> patchOps()
{
    static constexpr OpRow rows[] = {
        {"CropAndResize", cropAndResize, "Gather, Where"},
        {"ExtractImagePatches", extractPatches, "Pad, Slice, Concat"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
