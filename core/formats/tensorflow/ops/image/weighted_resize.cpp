// ResizeArea, ResizeBicubic and ScaleAndTranslate: every pixel of the result is a weighted sum of pixels, by a matrix
// of weights for the rows and one for the columns. ONNX's Resize has other weights.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace crosswalk::tensorflow {
namespace {

constexpr ElementType coordinate = ElementType::Float32; // as TensorFlow computes places

/// The sizes of one axis, int64 vectors of one element.
struct Sizes {
    OnnxValue from;
    OnnxValue to;
};

OnnxValue number(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(coordinate, value);
}

/// Pixels of the image for each pixel of the result. With corners aligned, one pixel fewer of each.
OnnxValue scaleOf(const NodeContext& ctx, const Sizes& sizes, bool alignsCorners)
{
    const auto size = [&](OnnxValue x) { return emit::cast(ctx, x, coordinate); };
    const OnnxValue scale = ctx.emit("Div", {size(sizes.from), size(sizes.to)});
    if (!alignsCorners) {
        return scale;
    }
    const OnnxValue gaps = ctx.emit("Sub", {size(sizes.to), number(ctx, 1)});
    const OnnxValue hasGaps = ctx.emit("Greater", {gaps, number(ctx, 0)});
    const OnnxValue divisor = ctx.emit("Where", {hasGaps, gaps, number(ctx, 1)});
    const OnnxValue aligned = ctx.emit("Div", {ctx.emit("Sub", {size(sizes.from), number(ctx, 1)}), divisor});
    return ctx.emit("Where", {hasGaps, aligned, scale});
}

/// The numbers of the pixels of the result as a column, those of the image as a row.
OnnxValue resultPlaces(const NodeContext& ctx, const Sizes& sizes)
{
    return emit::unsqueeze(ctx, countTo(ctx, sizes.to), {1});
}

OnnxValue imagePlaces(const NodeContext& ctx, const Sizes& sizes)
{
    return emit::unsqueeze(ctx, countTo(ctx, sizes.from), {0});
}

using Weights = OnnxValue (*)(const NodeContext& ctx, const Sizes& sizes, const Settings& settings);

/// The part of each pixel between the place of a pixel of the result and that of the next one, with TensorFlow's
/// rounding: a range within one pixel has the length `scale`. What lies beyond the image counts for its last pixel.
OnnxValue areaWeights(const NodeContext& ctx, const Sizes& sizes, const Settings& settings)
{
    const OnnxValue scale = scaleOf(ctx, sizes, settings.boolean("align_corners"));
    const OnnxValue place = emit::cast(ctx, resultPlaces(ctx, sizes), coordinate);
    const OnnxValue start = ctx.emit("Mul", {place, scale});
    const OnnxValue end = ctx.emit("Mul", {ctx.emit("Add", {place, number(ctx, 1)}), scale});
    const OnnxValue pixels = imagePlaces(ctx, sizes);
    const OnnxValue pixel = emit::cast(ctx, pixels, coordinate);
    const OnnxValue next = ctx.emit("Add", {pixel, number(ctx, 1)});
    const OnnxValue reachesEnd = ctx.emit("Greater", {next, end});
    const OnnxValue ofFirst = ctx.emit("Where", {reachesEnd, scale, ctx.emit("Sub", {next, start})});
    const OnnxValue ofOthers = ctx.emit("Where", {reachesEnd, ctx.emit("Sub", {end, pixel}), number(ctx, 1)});
    const OnnxValue part = ctx.emit("Where", {ctx.emit("Less", {pixel, start}), ofFirst, ofOthers});
    const OnnxValue isOut = ctx.emit("Or", {ctx.emit("Less", {pixel, ctx.emit("Floor", {start})}),
                                            ctx.emit("Not", {ctx.emit("Less", {pixel, ctx.emit("Ceil", {end})})})});
    const OnnxValue size = emit::cast(ctx, sizes.from, coordinate);
    const OnnxValue beyond = ctx.emit("Max", {ctx.emit("Sub", {end, ctx.emit("Max", {size, start})}), number(ctx, 0)});
    const OnnxValue isLast = ctx.emit("Equal", {pixels, ctx.emit("Sub", {sizes.from, ctx.onnx.ints({1})})});
    const OnnxValue weight = ctx.emit(
        "Add", {ctx.emit("Where", {isOut, number(ctx, 0), part}), ctx.emit("Where", {isLast, beyond, number(ctx, 0)})});
    const auto wide = [&](OnnxValue x) { return emit::cast(ctx, x, ElementType::Float64); };
    const OnnxValue weights = ctx.emit("Div", {wide(weight), wide(scale)});
    if (!settings.boolean("align_corners")) {
        return weights;
    }
    // The corners of an image of one pixel are that pixel, at no distance.
    const OnnxValue isPixel = ctx.emit("Equal", {scale, number(ctx, 0)});
    return ctx.emit("Where", {isPixel, ctx.onnx.scalar(ElementType::Float64, 1), weights});
}

/// The cubic weights at distances of so many steps from 0 to 2: TensorFlow reads them from a table too.
constexpr std::int64_t steps = 1024;

std::vector<float> cubicTable(double a)
{
    std::vector<float> near;
    std::vector<float> far;
    for (std::int64_t i = 0; i <= steps; ++i) {
        const auto x = static_cast<float>(static_cast<double>(i) / static_cast<double>(steps));
        near.push_back(static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1));
        const float y = x + 1;
        far.push_back(static_cast<float>(((a * y - 5 * a) * y + 8 * a) * y - 4 * a));
    }
    near.insert(near.end(), far.begin(), far.end());
    return near;
}

/// The weights of the four pixels around each place. Pixels beyond the image have the weight 0 with half pixels, and
/// are the nearest one of the image without.
OnnxValue cubicWeights(const NodeContext& ctx, const Sizes& sizes, const Settings& settings)
{
    const bool hasHalfPixels = settings.boolean("half_pixel_centers");
    const OnnxValue scale = scaleOf(ctx, sizes, settings.boolean("align_corners"));
    const OnnxValue index = emit::cast(ctx, resultPlaces(ctx, sizes), coordinate);
    const OnnxValue half = number(ctx, 0.5);
    const OnnxValue place = hasHalfPixels
                                ? ctx.emit("Sub", {ctx.emit("Mul", {ctx.emit("Add", {index, half}), scale}), half})
                                : ctx.emit("Mul", {index, scale});
    const OnnxValue before = ctx.emit("Floor", {place});
    const OnnxValue offset =
        asInt64(ctx, ctx.emit("Round", {ctx.emit("Mul", {ctx.emit("Sub", {place, before}), number(ctx, steps)})}));
    const std::vector<float> values = cubicTable(hasHalfPixels ? -0.5 : -0.75);
    const OnnxValue table =
        ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(values.size())}, values));
    const auto whole = [&](std::int64_t i) { return ctx.onnx.ints({i}); };
    const OnnxValue back = ctx.emit("Sub", {whole(steps), offset});
    const auto farFrom = [&](OnnxValue x) { return ctx.emit("Add", {x, whole(steps + 1)}); };
    const OnnxValues entries{farFrom(offset), offset, back, farFrom(back)};
    const OnnxValue last = ctx.emit("Sub", {sizes.from, whole(1)});
    const OnnxValue first = asInt64(ctx, before);
    const OnnxValue pixels = imagePlaces(ctx, sizes);
    OnnxValue sum;
    for (std::int64_t i = 0; i < 4; ++i) {
        OnnxValue pixel = ctx.emit("Add", {first, whole(i - 1)});
        if (!hasHalfPixels) {
            pixel = arithmetic::minimum(ctx, arithmetic::maximum(ctx, pixel, whole(0)), last);
        }
        const OnnxValue weight = emit::gather(ctx, table, entries[static_cast<std::size_t>(i)], 0);
        const OnnxValue part = ctx.emit("Where", {ctx.emit("Equal", {pixels, pixel}), weight, number(ctx, 0)});
        sum = sum ? ctx.emit("Add", {sum, part}) : part;
    }
    if (hasHalfPixels) {
        const OnnxValue total = emit::reduce(ctx, "ReduceSum", sum, {1}, true);
        const OnnxValue least = number(ctx, 1000 * static_cast<double>(std::numeric_limits<float>::min()));
        const OnnxValue isNotable = ctx.emit("Not", {ctx.emit("Less", {ctx.emit("Abs", {total}), least})});
        sum = ctx.emit("Div", {sum, ctx.emit("Where", {isNotable, total, number(ctx, 1)})});
    }
    return emit::cast(ctx, sum, ElementType::Float64);
}

/// What a kernel of ScaleAndTranslate weighs pixels with, by their distances.
OnnxValue kernelWeights(const NodeContext& ctx, const std::string& kernel, OnnxValue distance)
{
    const auto times = [&](OnnxValue x, OnnxValue y) { return ctx.emit("Mul", {x, y}); };
    /// The polynomial of the distance with these coefficients, the highest power first.
    const auto polynomial = [&](std::initializer_list<double> coefficients) {
        OnnxValue sum;
        for (const double coefficient : coefficients) {
            sum = sum ? ctx.emit("Add", {times(sum, distance), number(ctx, coefficient)}) : number(ctx, coefficient);
        }
        return sum;
    };
    const auto within = [&](double radius, OnnxValue inside, OnnxValue outside) {
        return ctx.emit("Where", {ctx.emit("Less", {distance, number(ctx, radius)}), inside, outside});
    };
    const OnnxValue zero = number(ctx, 0);
    if (kernel == "triangle") {
        return within(1, polynomial({-1, 1}), zero);
    }
    if (kernel == "keyscubic") {
        return within(1, polynomial({1.5, -2.5, 0, 1}), within(2, polynomial({-0.5, 2.5, -4, 2}), zero));
    }
    if (kernel == "mitchellcubic") {
        return within(1, polynomial({7.0 / 6, -2, 0, 8.0 / 9}),
                      within(2, polynomial({-7.0 / 18, 2, -10.0 / 3, 16.0 / 9}), zero));
    }
    if (kernel == "gaussian") {
        return within(1.5, ctx.emit("Exp", {polynomial({-2, 0, 0})}), zero);
    }
    if (kernel != "lanczos1" && kernel != "lanczos3" && kernel != "lanczos5") {
        ctx.refuse(fmt::format("the kernel {} has no exact form", kernel), "kernel_type");
    }
    const double radius = kernel.back() - '0';
    const OnnxValue angle = times(distance, number(ctx, std::numbers::pi));
    const OnnxValue waves =
        times(ctx.emit("Sin", {angle}), ctx.emit("Sin", {ctx.emit("Div", {angle, number(ctx, radius)})}));
    const OnnxValue isMiddle = ctx.emit("Not", {ctx.emit("Greater", {distance, number(ctx, 1e-3)})});
    const OnnxValue divisor = ctx.emit("Where", {isMiddle, number(ctx, 1), times(angle, angle)});
    const OnnxValue slope = ctx.emit("Div", {times(number(ctx, radius), waves), divisor});
    return within(radius, ctx.emit("Where", {isMiddle, number(ctx, 1), slope}), zero);
}

/// The part `axis` of input i, a vector of two numbers for rows and columns.
OnnxValue partOf(const NodeContext& ctx, std::size_t i, std::int64_t axis)
{
    return emit::slice(ctx, ctx.input(i), Ints{axis}, Ints{axis + 1}, Ints{0});
}

/// The weights of the pixels around each place, which add up to 1. Places beyond the image read nothing.
OnnxValue placedWeights(const NodeContext& ctx, const Sizes& sizes, const Settings& settings, std::int64_t axis)
{
    const OnnxValue half = number(ctx, 0.5);
    const OnnxValue step = ctx.emit("Div", {number(ctx, 1), partOf(ctx, 2, axis)});
    const OnnxValue start = ctx.emit("Mul", {ctx.emit("Neg", {step}), partOf(ctx, 3, axis)});
    const OnnxValue index = emit::cast(ctx, resultPlaces(ctx, sizes), coordinate);
    const OnnxValue place = ctx.emit("Add", {ctx.emit("Mul", {ctx.emit("Add", {index, half}), step}), start});
    const OnnxValue pixel = ctx.emit("Add", {emit::cast(ctx, imagePlaces(ctx, sizes), coordinate), half});
    OnnxValue distance = ctx.emit("Abs", {ctx.emit("Sub", {pixel, place})});
    if (settings.boolean("antialias")) {
        const OnnxValue width = ctx.emit("Max", {step, number(ctx, 1)});
        distance = ctx.emit("Mul", {distance, ctx.emit("Div", {number(ctx, 1), width})});
    }
    const OnnxValue weights = kernelWeights(ctx, settings.text("kernel_type"), distance);
    const OnnxValue total = emit::reduce(ctx, "ReduceSum", weights, {1}, true);
    const OnnxValue least = number(ctx, 1000 * static_cast<double>(std::numeric_limits<float>::min()));
    const OnnxValue isTiny = ctx.emit("Less", {ctx.emit("Abs", {total}), least});
    const OnnxValue isBefore = ctx.emit("Less", {place, number(ctx, 0)});
    const OnnxValue isBehind = ctx.emit("Greater", {place, emit::cast(ctx, sizes.from, coordinate)});
    const OnnxValue isOut = ctx.emit("Or", {isTiny, ctx.emit("Or", {isBefore, isBehind})});
    const OnnxValue divisor = ctx.emit("Where", {isTiny, number(ctx, 1), total});
    const OnnxValue kept = ctx.emit("Where", {isOut, number(ctx, 0), ctx.emit("Div", {weights, divisor})});
    return emit::cast(ctx, kept, ElementType::Float64);
}

/// Images (N, H, W, C) to the size in input 1, by the weights of rows and columns, which weightsOf(sizes, axis)
/// returns. The result is float32, whatever the images are.
template <typename WeightsOf>
OnnxValues resizedBy(const NodeContext& ctx, WeightsOf weightsOf)
{
    if (ctx.rank(ctx.input(0)) != 4) {
        ctx.invalid(fmt::format("images must have 4 dimensions, not {}", ctx.rank(ctx.input(0))));
    }
    const OnnxValue images = toChannelsFirst(ctx, emit::cast(ctx, ctx.input(0), ElementType::Float64));
    const OnnxValue size = intVector(ctx, ctx.input(1));
    const auto along = [&](std::int64_t i) {
        const OnnxValue to = emit::slice(ctx, size, Ints{i}, Ints{i + 1}, Ints{0});
        return weightsOf(Sizes{emit::dimVector(ctx, images, i + 2), to}, i);
    };
    const OnnxValue rows = along(0);
    const OnnxValue columns = emit::transpose(ctx, along(1), {1, 0});
    const OnnxValue y = ctx.emit("MatMul", {ctx.emit("MatMul", {rows, images}), columns});
    return {toChannelsLast(ctx, emit::cast(ctx, y, ElementType::Float32))};
}

template <Weights weights>
OnnxValues weightedResize(NodeContext& ctx)
{
    const Settings settings(ctx);
    return resizedBy(ctx, [&](const Sizes& sizes, std::int64_t) { return weights(ctx, sizes, settings); });
}

OnnxValues scaleAndTranslate(NodeContext& ctx)
{
    const Settings settings(ctx);
    return resizedBy(ctx,
                     [&](const Sizes& sizes, std::int64_t axis) { return placedWeights(ctx, sizes, settings, axis); });
}

} // namespace

std::span<const OpRow> weightedResizeOps()
{
    static constexpr OpRow rows[] = {
        {"ResizeArea", weightedResize<areaWeights>, "Transpose, MatMul"},
        {"ResizeBicubic", weightedResize<cubicWeights>, "Transpose, Gather, MatMul"},
        {"ScaleAndTranslate", scaleAndTranslate, "Transpose, MatMul"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
