#include "core/convert/forms/vision/deformable_roi_pooling.h"

#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/vision/image_sampling.h"

namespace crosswalk::forms {
namespace {

// Tensors here have the dimensions (regions, classes, channels of a class, bins y, bins x, samples y, samples x).
constexpr std::int64_t binAxis[] = {3, 4};
constexpr std::int64_t sampleAxis[] = {5, 6};
constexpr std::size_t dimensions = 7;

/// 0, 1, ... along one of the dimensions.
OnnxValue counted(const NodeContext& ctx, std::int64_t count, std::int64_t axis, ElementType type)
{
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < count; ++i) {
        numbers.push_back(static_cast<double>(i));
    }
    Ints dims(dimensions, 1);
    dims[static_cast<std::size_t>(axis)] = count;
    return ctx.onnx.constant(Tensor::of<double>(ElementType::Float64, dims, numbers).converted(type));
}

/// Column i of the regions, along the first dimension.
OnnxValue regionColumn(const NodeContext& ctx, OnnxValue regions, std::int64_t i)
{
    return emit::unsqueeze(ctx, emit::slice(ctx, regions, Ints{i}, Ints{i + 1}, Ints{1}), {2, 3, 4, 5, 6});
}

/// The offsets of each bin along one axis (0: y, 1: x); absent where there are none.
OnnxValue offsetsOf(const NodeContext& ctx, OnnxValue offsets, const Bins& bins, const RegionSamples& samples,
                    std::size_t axis)
{
    if (!offsets) {
        return {};
    }
    const OnnxValue byClass = emit::reshape(ctx, offsets, Ints{-1, samples.classes, 2, samples.parts, samples.parts});
    const std::int64_t own = axis == 0 ? 1 : 0; // x comes first
    OnnxValue found = emit::slice(ctx, byClass, Ints{own}, Ints{own + 1}, Ints{2});
    Ints parts;
    for (std::int64_t i = 0; i < bins.height; ++i) { // in single precision
        const float place = static_cast<float>(i) / static_cast<float>(bins.height) * static_cast<float>(samples.parts);
        parts.push_back(static_cast<std::int64_t>(place));
    }
    found = emit::gather(ctx, emit::gather(ctx, found, ctx.onnx.ints(parts), 3), ctx.onnx.ints(parts), 4);
    const OnnxValue scaled = ctx.emit("Mul", {found, emit::scalarLike(ctx, found, samples.reach)});
    return emit::unsqueeze(ctx, scaled, {5, 6});
}

/// Where the samples lie along one axis.
OnnxValue placesAlong(const NodeContext& ctx, OnnxValue regions, OnnxValue offsets, const Bins& bins,
                      const RegionSamples& samples, std::size_t axis)
{
    const auto number = [&](double value) { return emit::scalarLike(ctx, regions, value); };
    const auto edge = [&](std::int64_t i, double beyond) {
        OnnxValue whole = elementary::roundAwayFromZero(ctx, regionColumn(ctx, regions, i));
        whole = beyond == 0 ? whole : ctx.emit("Add", {whole, number(beyond)});
        return ctx.emit("Sub", {ctx.emit("Mul", {whole, number(bins.scale)}), number(0.5)});
    };
    const std::int64_t first = axis == 0 ? 2 : 1;
    const OnnxValue start = edge(first, 0);
    const OnnxValue size = ctx.emit("Max", {ctx.emit("Sub", {edge(first + 2, 1), start}), number(0.1)});
    const OnnxValue bin = ctx.emit("Div", {size, number(static_cast<double>(bins.height))});
    const OnnxValue step = ctx.emit("Div", {bin, number(static_cast<double>(samples.perBin))});
    const ElementType type = ctx.element(regions);
    OnnxValue place = ctx.emit("Add", {ctx.emit("Mul", {counted(ctx, bins.height, binAxis[axis], type), bin}), start});
    if (const OnnxValue moves = offsetsOf(ctx, offsets, bins, samples, axis)) {
        place = ctx.emit("Add", {place, ctx.emit("Mul", {moves, size})});
    }
    const OnnxValue inBin = ctx.emit("Mul", {counted(ctx, samples.perBin, sampleAxis[axis], type), step});
    return ctx.emit("Add", {place, inBin});
}

/// The channel that each bin reads: int64 (1, classes, channels of a class, bins y, bins x, 1, 1).
OnnxValue channelsOf(const NodeContext& ctx, const Bins& bins, const RegionSamples& samples)
{
    const Ints groups = bins.groupOfBin();
    Ints own;
    for (std::int64_t i = 0; i < bins.channels; ++i) {
        for (const auto group : groups) {
            own.push_back(i * bins.groups * bins.groups + group);
        }
    }
    const Ints dims{1, samples.classes, bins.channels / samples.classes, bins.height, bins.width, 1, 1};
    return ctx.onnx.constant(Tensor::ints(own).reshaped(dims));
}

} // namespace

OnnxValue deformableRoiPooling(const NodeContext& ctx, OnnxValue images, OnnxValue regions, OnnxValue offsets,
                               const Bins& bins, const RegionSamples& samples)
{
    const Precision precision(ctx, images);
    regions = precision.widen(regions);
    offsets = offsets ? precision.widen(offsets) : offsets;
    const OnnxValue planes = emit::reshape(
        ctx, images,
        emit::concat(ctx, {ctx.onnx.ints({-1, 1}), emit::dimVector(ctx, images, 2), emit::dimVector(ctx, images, 3)},
                     0));
    ctx.onnx.refine(planes, {Dim(), Dim(1), ctx.shape(images)[2], ctx.shape(images)[3]});
    const ImageSampler pixels(ctx, planes);
    const OnnxValue y = placesAlong(ctx, regions, offsets, bins, samples, 0);
    const OnnxValue x = placesAlong(ctx, regions, offsets, bins, samples, 1);
    const auto number = [&](double value) { return ctx.onnx.scalar(pixels.element(), value); };
    const auto isCounted = [&](OnnxValue place, OnnxValue size) {
        return isWithin(ctx, place, number(-0.5), ctx.emit("Sub", {size, number(0.5)}));
    };
    const OnnxValue counted = ctx.emit("And", {isCounted(y, pixels.height()), isCounted(x, pixels.width())});
    const OnnxValue image = imageOf(ctx, regionColumn(ctx, regions, 0), images).index;
    const OnnxValue plane =
        ctx.emit("Add", {ctx.emit("Mul", {image, emit::dimVector(ctx, images, 1)}), channelsOf(ctx, bins, samples)});
    const OnnxValue read = emit::squeeze(ctx,
                                         pixels.between(plane, ctx.emit("Where", {counted, y, number(0)}),
                                                        ctx.emit("Where", {counted, x, number(0)}), Beyond::Edge),
                                         {7});
    const OnnxValue sums = emit::reduce(ctx, "ReduceSum", ctx.emit("Where", {counted, read, number(0)}), {5, 6}, false);
    const OnnxValue counts = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, counted, pixels.element()), {5, 6}, false);
    const OnnxValue means = ctx.emit("Div", {sums, ctx.emit("Max", {counts, number(1)})});
    return precision.restore(emit::reshape(ctx, means, {-1, bins.channels, bins.height, bins.width}));
}

} // namespace crosswalk::forms
