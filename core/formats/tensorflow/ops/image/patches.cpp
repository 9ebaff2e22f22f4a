// Windows and other parts of images.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/nn/pooling.h"
#include "core/convert/forms/vision/box_crops.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::tensorflow {
namespace {

/// The elements of windows at each place, on the channels: by the axes of the window in order, then by channel. The
/// last axis is taken first.
OnnxValue patchesOf(const NodeContext& ctx, OnnxValue padded, const Window& window)
{
    OnnxValue patches = padded;
    for (std::size_t axis = window.rank(); axis-- > 0;) {
        Window line = window;
        for (std::size_t i = 0; i < window.rank(); ++i) {
            if (i != axis) {
                line.kernel[i] = line.stride[i] = line.dilate[i] = 1;
            }
        }
        patches = emit::concat(ctx, windowSlices(ctx, patches, line), 1);
    }
    return patches;
}

OnnxValues patchesOf(NodeContext& ctx, std::size_t rank)
{
    const Settings settings(ctx);
    const OnnxValue given = ctx.input(0);
    if (ctx.rank(given) != rank) {
        ctx.invalid(fmt::format("the input must have {} dimensions, not {}", rank, ctx.rank(given)));
    }
    Window window;
    window.kernel = spatialOf(ctx, settings.ints("ksizes"), true, "ksizes");
    window.stride = spatialOf(ctx, settings.ints("strides"), true, "strides");
    window.dilate = rank == 4 ? spatialOf(ctx, settings.ints("rates"), true, "rates") : Ints(window.rank(), 1);
    const OnnxValue x = toChannelsFirst(ctx, given);
    const WindowPadding padding = paddingOf(ctx, settings, x, window, true, 0);
    if (padding.isSame) {
        ctx.refuse("patches with padding SAME require images of fixed size", "padding", "fix the shapes of the inputs");
    }
    const OnnxValue padded = padSpatial(ctx, padding.x, padding.begin, padding.end, 0);
    return {toChannelsLast(ctx, patchesOf(ctx, padded, window))};
}

OnnxValues extractPatches(NodeContext& ctx)
{
    return patchesOf(ctx, 4);
}

OnnxValues extractVolumePatches(NodeContext& ctx)
{
    return patchesOf(ctx, 5);
}

/// The largest sum of a window's elements and the filter's, for each channel. It starts from the lowest number, and NaN
/// is not larger.
OnnxValues dilation(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue given = ctx.input(0);
    const OnnxValue filter = ctx.input(1);
    const ElementType type = ctx.element(given);
    if (ctx.rank(given) != 4 || ctx.rank(filter) != 3) {
        ctx.invalid("Dilation2D takes images of 4 dimensions and a filter of 3");
    }
    if (!isFloating(type)) {
        ctx.refuse(fmt::format("Dilation2D of {}", elementTypeName(type)), "T");
    }
    Window window;
    window.kernel = {ctx.fixedDim(filter, 0), ctx.fixedDim(filter, 1)};
    window.stride = spatialOf(ctx, settings.ints("strides"), true, "strides");
    window.dilate = spatialOf(ctx, settings.ints("rates"), true, "rates");
    return {computedAs(ctx, widened(type), given, [&](OnnxValue images) {
        const OnnxValue x = toChannelsFirst(ctx, images);
        const double least = -std::numeric_limits<double>::infinity();
        const WindowPadding padding = paddingOf(ctx, settings, x, window, true, least);
        if (padding.isSame) {
            ctx.refuse("Dilation2D with padding SAME requires images of fixed size", "padding",
                       "fix the shapes of the inputs");
        }
        const OnnxValue padded = padSpatial(ctx, padding.x, padding.begin, padding.end, least);
        const OnnxValue weights = emit::cast(ctx, filter, ctx.element(images));
        const OnnxValue places = emit::reshape(ctx, weights, Ints{-1, ctx.fixedDim(filter, 2), 1, 1});
        OnnxValue largest = emit::scalarLike(ctx, padded, lowestNumber(type));
        std::int64_t place = 0;
        for (const OnnxValue slice : windowSlices(ctx, padded, window)) {
            const OnnxValue weight = emit::slice(ctx, places, Ints{place}, Ints{place + 1}, Ints{0});
            const OnnxValue sum = ctx.emit("Add", {slice, weight});
            largest = ctx.emit("Where", {ctx.emit("Greater", {sum, largest}), sum, largest});
            ++place;
        }
        return toChannelsLast(ctx, largest);
    })};
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
        {"Dilation2D", dilation, "Pad, Slice, Add, Where"},
        {"ExtractImagePatches", extractPatches, "Pad, Slice, Concat"},
        {"ExtractVolumePatches", extractVolumePatches, "Pad, Slice, Concat"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
