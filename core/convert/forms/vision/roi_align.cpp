#include "core/convert/forms/vision/roi_align.h"

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/vision/image_sampling.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numbers>

namespace crosswalk::forms {
namespace {

/// From which opset RoiAlign can shift regions by half a pixel, and up to which ONNX Runtime has it.
constexpr int halfPixelOpset = 16;
constexpr int lastRoiAlignOpset = 21;

/// Samples along one axis of a region: int64 [1] how many a bin has, and where they all lie (bins * samples).
struct BinSamples {
    OnnxValue count;
    OnnxValue places;
};

BinSamples samplesAlong(const NodeContext& ctx, OnnxValue start, OnnxValue size, std::int64_t bins, std::int64_t ratio)
{
    const OnnxValue binSize = ctx.emit("Div", {size, emit::scalarLike(ctx, size, static_cast<double>(bins))});
    BinSamples samples;
    samples.count =
        ratio > 0 ? ctx.onnx.ints({ratio}) : emit::cast(ctx, ctx.emit("Ceil", {binSize}), ElementType::Int64);
    const OnnxValue all = ctx.emit("Mul", {samples.count, ctx.onnx.ints({bins})});
    const OnnxValue numbers = ctx.emit("Range", {ctx.onnx.scalar(ElementType::Int64, 0), emit::squeeze(ctx, all, {0}),
                                                 ctx.onnx.scalar(ElementType::Int64, 1)});
    const OnnxValue bin = ctx.emit("Div", {numbers, samples.count});
    const OnnxValue inBin = ctx.emit("Sub", {numbers, ctx.emit("Mul", {bin, samples.count})});
    const auto real = [&](OnnxValue x) { return emit::cast(ctx, x, ctx.element(size)); };
    const OnnxValue middle = ctx.emit("Add", {real(inBin), emit::scalarLike(ctx, size, 0.5)});
    const OnnxValue part = ctx.emit("Div", {ctx.emit("Mul", {middle, binSize}), real(samples.count)});
    samples.places = ctx.emit("Add", {ctx.emit("Add", {start, ctx.emit("Mul", {real(bin), binSize})}), part});
    return samples;
}

/// Means of the samples in each bin, (C, PH, PW). `turn` moves places (y (h, 1), x (1, w)) into the image.
using Turn = std::function<std::pair<OnnxValue, OnnxValue>(OnnxValue y, OnnxValue x)>;

OnnxValue meansOf(const NodeContext& ctx, const ImageSampler& pixels, OnnxValue image, const BinSamples& rows,
                  const BinSamples& columns, const Bins& bins, const Turn& turn)
{
    const auto [y, x] = turn(emit::unsqueeze(ctx, rows.places, {1}), emit::unsqueeze(ctx, columns.places, {0}));
    const OnnxValue low = ctx.onnx.scalar(pixels.element(), -1);
    const OnnxValue inside =
        ctx.emit("And", {isWithin(ctx, y, low, pixels.height()), isWithin(ctx, x, low, pixels.width())});
    const OnnxValue zero = ctx.onnx.scalar(pixels.element(), 0);
    const OnnxValue read = pixels.between(image, ctx.emit("Where", {inside, y, zero}),
                                          ctx.emit("Where", {inside, x, zero}), Beyond::Edge); // (h, w, C)
    const OnnxValue counted = ctx.emit("Where", {emit::unsqueeze(ctx, inside, {2}), read, zero});
    const OnnxValue dims = emit::concat(
        ctx,
        {ctx.onnx.ints({bins.height}), rows.count, ctx.onnx.ints({bins.width}), columns.count, ctx.onnx.ints({-1})}, 0);
    const OnnxValue means = emit::reduce(ctx, "ReduceMean", emit::reshape(ctx, counted, dims), {1, 3}, false);
    const OnnxValue result = emit::transpose(ctx, means, {2, 0, 1});
    ctx.onnx.refine(result, {Dim(), Dim(bins.height), Dim(bins.width)});
    return result;
}

OnnxValue atLeastOne(const NodeContext& ctx, OnnxValue size)
{
    return ctx.emit("Max", {size, emit::scalarLike(ctx, size, 1)});
}

/// One region after another.
OnnxValue turnedRegions(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins,
                        std::int64_t ratio)
{
    const ImageSampler pixels(ctx, images);
    const OnnxValue y = forEach(ctx, {regions}, [&](const OnnxValues& elements) -> OnnxValues {
        const OnnxValue region = elements[0];
        const auto scaled = [&](std::int64_t i) {
            return ctx.emit("Mul", {columnOf(ctx, region, i), emit::scalarLike(ctx, region, bins.scale)});
        };
        const OnnxValue width = atLeastOne(ctx, scaled(3));
        const OnnxValue height = atLeastOne(ctx, scaled(4));
        const OnnxValue angle =
            ctx.emit("Mul", {columnOf(ctx, region, 5), emit::scalarLike(ctx, region, std::numbers::pi / 180)});
        const OnnxValue cosine = elementary::cos(ctx, angle);
        const OnnxValue sine = elementary::sin(ctx, angle);
        const auto startOf = [&](OnnxValue size) { return ctx.emit("Mul", {size, emit::scalarLike(ctx, size, -0.5)}); };
        const Turn turn = [&](OnnxValue dy, OnnxValue dx) {
            const OnnxValue x = ctx.emit("Add", {ctx.emit("Mul", {dx, cosine}), ctx.emit("Mul", {dy, sine})});
            const OnnxValue y = ctx.emit("Sub", {ctx.emit("Mul", {dy, cosine}), ctx.emit("Mul", {dx, sine})});
            return std::pair(ctx.emit("Add", {y, scaled(2)}), ctx.emit("Add", {x, scaled(1)}));
        };
        const OnnxValue image = imageOf(ctx, columnOf(ctx, region, 0), images).index;
        return {meansOf(ctx, pixels, image, samplesAlong(ctx, startOf(height), height, bins.height, ratio),
                        samplesAlong(ctx, startOf(width), width, bins.width, ratio), bins, turn)};
    })[0];
    ctx.onnx.refine(y, {ctx.shape(regions)[0], ctx.shape(images)[1], Dim(bins.height), Dim(bins.width)});
    return y;
}

/// Regions (index, corners), shifted by half a pixel or else of at least one pixel.
OnnxValue uprightRegions(const NodeContext& ctx, OnnxValue images, OnnxValue index, OnnxValue corners, const Bins& bins,
                         std::int64_t ratio, bool isShifted)
{
    const ImageSampler pixels(ctx, images);
    const OnnxValue y = forEach(ctx, {index, corners}, [&](const OnnxValues& elements) -> OnnxValues {
        const OnnxValue region = elements[1];
        const auto scaled = [&](std::int64_t i) {
            const OnnxValue product =
                ctx.emit("Mul", {columnOf(ctx, region, i), emit::scalarLike(ctx, region, bins.scale)});
            return isShifted ? ctx.emit("Sub", {product, emit::scalarLike(ctx, region, 0.5)}) : product;
        };
        const auto along = [&](std::int64_t low, std::int64_t high, std::int64_t count) {
            const OnnxValue start = scaled(low);
            const OnnxValue size = ctx.emit("Sub", {scaled(high), start});
            return samplesAlong(ctx, start, isShifted ? size : atLeastOne(ctx, size), count, ratio);
        };
        const OnnxValue image = emit::unsqueeze(ctx, elements[0], {0});
        return {meansOf(ctx, pixels, image, along(1, 3, bins.height), along(0, 2, bins.width), bins,
                        [](OnnxValue dy, OnnxValue dx) { return std::pair(dy, dx); })};
    })[0];
    ctx.onnx.refine(y, {ctx.shape(corners)[0], ctx.shape(images)[1], Dim(bins.height), Dim(bins.width)});
    return y;
}

/// Of (R, C * bins, PH, PW) for each bin the channels of its own: (R, C, PH, PW).
OnnxValue channelsOfBins(const NodeContext& ctx, OnnxValue aligned, std::int64_t channels, const Bins& bins)
{
    const std::int64_t count = bins.height * bins.width;
    assert(channels % count == 0);
    Ints diagonal;
    for (std::int64_t i = 0; i < count; ++i) {
        diagonal.push_back(i * count + i);
    }
    const OnnxValue flat = emit::reshape(ctx, aligned, {0, channels / count, count * count});
    const OnnxValue own = emit::gather(ctx, flat, ctx.onnx.ints(diagonal), 2);
    return emit::reshape(ctx, own, {0, 0, bins.height, bins.width});
}

} // namespace

OnnxValue roiAlign(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const RoiAlign& how)
{
    const Precision precision(ctx, images);
    images = precision.widen(images);
    OnnxValue corners = precision.widen(regions);
    OnnxValue index;
    if (how.isNumbered) {
        const OnnxValue numbers = emit::squeeze(ctx, emit::slice(ctx, corners, Ints{0}, Ints{1}, Ints{1}), {1});
        index = emit::cast(ctx, ctx.emit("Max", {numbers, emit::scalarLike(ctx, numbers, 0)}), ElementType::Int64);
        corners = emit::slice(ctx, corners, Ints{1}, Ints{5}, Ints{1});
    } else {
        index = emit::expand(ctx, ctx.onnx.ints({0}), emit::dimVector(ctx, regions, 0));
    }
    OnnxValue y;
    if ((how.isShifted && ctx.onnx.opset() < halfPixelOpset) || ctx.onnx.opset() > lastRoiAlignOpset) {
        y = uprightRegions(ctx, images, index, corners, how.bins, how.samples, how.isShifted);
    } else {
        OnnxAttributes attributes{{"mode", "avg"},
                                  {"output_height", how.bins.height},
                                  {"output_width", how.bins.width},
                                  {"sampling_ratio", std::max<std::int64_t>(how.samples, 0)},
                                  {"spatial_scale", how.bins.scale}};
        if (ctx.onnx.opset() >= halfPixelOpset) {
            attributes.emplace_back("coordinate_transformation_mode",
                                    how.isShifted ? "half_pixel" : "output_half_pixel");
        }
        y = ctx.emit("RoiAlign", {images, corners, index}, attributes);
    }
    if (how.ownChannels) {
        y = channelsOfBins(ctx, y, ctx.fixedDim(images, 1), how.bins);
    }
    return precision.restore(y);
}

OnnxValue rotatedRoiAlign(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins,
                          std::int64_t samples)
{
    const Precision precision(ctx, images);
    regions = precision.widen(regions);
    return precision.restore(turnedRegions(ctx, precision.widen(images), regions, bins, samples));
}

} // namespace crosswalk::forms
