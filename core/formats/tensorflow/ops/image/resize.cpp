// ResizeBilinear and ResizeNearestNeighbor.

#include "core/convert/forms/vision/resize.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Resizes images (N, H, W, C) to the size in input 1.
OnnxValue resized(const NodeContext& ctx, OnnxValue images, const Resizing& how)
{
    const OnnxValue size = intVector(ctx, ctx.input(1));
    const auto part = [&](std::int64_t i) { return emit::slice(ctx, size, Ints{i}, Ints{i + 1}, Ints{0}); };
    return toChannelsLast(ctx, resizeTo(ctx, toChannelsFirst(ctx, images), part(0), part(1), how));
}

Coordinates coordinatesOf(const NodeContext& ctx, const Settings& settings)
{
    const bool alignsCorners = settings.boolean("align_corners");
    const bool hasHalfPixels = settings.boolean("half_pixel_centers");
    if (alignsCorners && hasHalfPixels) {
        ctx.invalid("align_corners and half_pixel_centers are mutually exclusive", "half_pixel_centers");
    }
    if (ctx.rank(ctx.input(0)) != 4) {
        ctx.invalid(fmt::format("images must have 4 dimensions, not {}", ctx.rank(ctx.input(0))));
    }
    return alignsCorners ? Coordinates::AlignCorners : hasHalfPixels ? Coordinates::HalfPixel : Coordinates::Asymmetric;
}

/// The result is float32, whatever the images are.
OnnxValues bilinear(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Coordinates coordinates = coordinatesOf(ctx, settings);
    const OnnxValue images = emit::cast(ctx, ctx.input(0), ElementType::Float32);
    return {resized(ctx, images, {.coordinates = coordinates})};
}

/// The pixel at or before the place; with corners aligned the nearest, of two the later one. With half pixels
/// TensorFlow adds them and does not take them off again: that is the nearest by ONNX's count.
OnnxValues nearest(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Coordinates coordinates = coordinatesOf(ctx, settings);
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType type = isFloating(own) || isNarrowInteger(own) ? ElementType::Float32 : own;
    if (own == ElementType::Float64 || byteSize(type) > 4) {
        ctx.refuse(fmt::format("ResizeNearestNeighbor of {}", elementTypeName(own)), "T", "cast the images to float32");
    }
    const bool roundsUp = coordinates != Coordinates::Asymmetric;
    const OnnxValue y =
        resized(ctx, emit::cast(ctx, x, type), {.isLinear = false, .coordinates = coordinates, .roundsUp = roundsUp});
    return {emit::cast(ctx, y, own)};
}

} // namespace

std::span<const OpRow> imageResizeOps()
{
    static constexpr OpRow rows[] = {
        {"ResizeBilinear", bilinear, "Transpose, Resize"},
        {"ResizeNearestNeighbor", nearest, "Transpose, Resize"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
