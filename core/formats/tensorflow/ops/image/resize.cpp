// ResizeBilinear and ResizeNearestNeighbor.

#include "core/convert/forms/vision/resize.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/vision/nearest_places.h"
#include "core/formats/tensorflow/ops/nn/layers.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <cmath>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Resizes images (N, H, W, C) to a height and a width.
OnnxValue resized(const NodeContext& ctx, OnnxValue images, OnnxValue sizes, const Resizing& how)
{
    const OnnxValue size = intVector(ctx, sizes);
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
    return {bilinearResized(ctx, images, ctx.input(1), coordinates)};
}

/// The same for types that ONNX Runtime does not resize: the numbers of rows and of columns are resized, and the pixels
/// gathered.
OnnxValue gatheredNearest(const NodeContext& ctx, OnnxValue images, const Resizing& how)
{
    const OnnxValue size = intVector(ctx, ctx.input(1));
    for (std::int64_t axis = 1; axis <= 2; ++axis) {
        const OnnxValue length = emit::slice(ctx, size, Ints{axis - 1}, Ints{axis}, Ints{0});
        const OnnxValue places = countTo(ctx, emit::dimVector(ctx, images, axis));
        const OnnxValue row = emit::reshape(ctx, emit::cast(ctx, places, ElementType::Float32), Ints{1, 1, -1, 1});
        const OnnxValue nearest = resizeTo(ctx, row, length, ctx.onnx.ints({1}), how);
        images = emit::gather(ctx, images, asInt64(ctx, emit::reshape(ctx, nearest, Ints{-1})), axis);
    }
    return images;
}

/// Where TensorFlow reads an axis for a place in the result: at or before the place; with corners aligned the nearest,
/// of two the later one. With half pixels TensorFlow adds them and does not take them off again.
float sourceOf(float place, float from, float to, Coordinates coordinates)
{
    if (coordinates == Coordinates::AlignCorners && to > 1) {
        return std::round(place * ((from - 1) / (to - 1)));
    }
    return (place + (coordinates == Coordinates::HalfPixel ? 0.5F : 0.0F)) * (from / to);
}

/// The places of rows and columns of the images that become those of the result, if the sizes are fixed.
std::vector<Ints> placesOf(const NodeContext& ctx, OnnxValue images, Coordinates coordinates)
{
    const auto sizes = forms::knownInts(ctx, intVector(ctx, ctx.input(1)));
    std::vector<Ints> places;
    for (std::size_t i = 0; sizes && i < sizes->size(); ++i) {
        const Dim& dim = ctx.shape(images)[i + 1];
        const auto from = static_cast<float>(dim.size);
        const auto to = static_cast<float>((*sizes)[i]);
        auto of = dim.isFixed() ? nearestPlaces(dim.size, (*sizes)[i],
                                                [&](float place) { return sourceOf(place, from, to, coordinates); })
                                : std::nullopt;
        if (!of) {
            return {};
        }
        places.push_back(*std::move(of));
    }
    return places;
}

/// By ONNX's count, what TensorFlow reads with half pixels is the nearest.
OnnxValues nearest(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Coordinates coordinates = coordinatesOf(ctx, settings);
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType type = isFloating(own) || isNarrowInteger(own) ? ElementType::Float32 : own;
    const bool roundsUp = coordinates != Coordinates::Asymmetric;
    const Resizing how{.isLinear = false, .coordinates = coordinates, .roundsUp = roundsUp};
    const bool isWide = own == ElementType::Float64 || byteSize(type) > 4;
    if (const std::vector<Ints> places = placesOf(ctx, x, coordinates); places.size() == 2) {
        bool isRead = !isWide;
        for (std::size_t i = 0; i < places.size(); ++i) {
            isRead = isRead && resizeReads(places[i], ctx.shape(x)[i + 1].size, how);
        }
        if (!isRead) {
            return {elementsAt(ctx, elementsAt(ctx, x, 1, places[0]), 2, places[1])};
        }
    }
    if (isWide) {
        return {gatheredNearest(ctx, x, how)};
    }
    return {emit::cast(ctx, resized(ctx, emit::cast(ctx, x, type), ctx.input(1), how), own)};
}

} // namespace

OnnxValue bilinearResized(const NodeContext& ctx, OnnxValue images, OnnxValue size, Coordinates coordinates)
{
    return resized(ctx, images, size, {.coordinates = coordinates});
}

std::span<const OpRow> imageResizeOps()
{
    static constexpr OpRow rows[] = {
        {"ResizeBilinear", bilinear, "Transpose, Resize"},
        {"ResizeNearestNeighbor", nearest, "Transpose, Resize, or Slice or Gather"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
