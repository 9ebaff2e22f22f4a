// Operations of Keras 3 that read images at computed coordinates.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/nn/window_padding.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/vision/coordinate_sampling.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

Continuation continuationOf(const Layer& layer, const std::string& mode)
{
    if (mode == "constant") {
        return Continuation::Value;
    }
    if (mode == "nearest") {
        return Continuation::Edge;
    }
    if (mode == "wrap") {
        return Continuation::Wrap;
    }
    if (mode == "mirror") {
        return Continuation::Mirror;
    }
    if (mode == "reflect") {
        return Continuation::Reflect;
    }
    layer.ctx.invalid(fmt::format("fill_mode {} is none of Keras's", mode), "fill_mode");
}

bool isLinear(const Layer& layer)
{
    const std::string kind = Arguments(layer).text({"interpolation"}, "bilinear");
    if (kind != "bilinear" && kind != "nearest") {
        layer.ctx.invalid(fmt::format("interpolation {} is neither bilinear nor nearest", kind), "interpolation");
    }
    return kind == "bilinear";
}

/// Images of a call, to be read by rows of channels.
struct ReadImages {
    OnnxValue x; ///< (N, H, W, C), in a type for interpolation
    ElementType type;
    bool isLast;
    bool isSingle;
};

ReadImages readImagesOf(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = arguments.tensor({"0", "images"});
    const std::string format = arguments.text({"data_format"}, "channels_last");
    const bool isSingle = ctx.rank(x) == 3;
    if (ctx.rank(x) != 4 && !isSingle) {
        ctx.invalid(fmt::format("images of {} dimensions", ctx.rank(x)), "images");
    }
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        layer.refuse(fmt::format("images of {}, which Keras's backends round differently", elementTypeName(type)),
                     "images", "cast the images to float32");
    }
    x = isSingle ? emit::unsqueeze(ctx, x, {0}) : x;
    const bool isLast = format == "channels_last";
    x = Precision(ctx, x).widen(isLast ? x : toChannelsLast(ctx, x));
    return {x, type, isLast, isSingle};
}

/// Numbers (N, ...) that count along one of the axes of the images, to combine them with others.
OnnxValue places(const NodeContext& ctx, const ReadImages& images, std::int64_t axis, ElementType type)
{
    const OnnxValue count = emit::cast(ctx, countUp(ctx, images.x, axis), type);
    return axis == 2 ? emit::unsqueeze(ctx, count, {0, 1}) : emit::unsqueeze(ctx, count, {0, 2});
}

/// The images read at coordinates (N or 1, H, W), in the layout of the call.
OnnxValue readAt(const Layer& layer, const ReadImages& images, OnnxValue y, OnnxValue x,
                 const CoordinateSampling& sampling)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue shape = emit::concat(ctx, {ctx.onnx.ints({-1}), emit::dimVector(ctx, images.x, 3)}, 0);
    const GridRows data{
        .rows = emit::reshape(ctx, images.x, shape),
        .sizes = {emit::dimVector(ctx, images.x, 1), emit::dimVector(ctx, images.x, 2)},
        .grid = emit::unsqueeze(ctx, countUp(ctx, images.x, 0), {1, 2}),
    };
    const ElementType type = ctx.element(images.x);
    const OnnxValue found = sampledAt(ctx, data, {emit::cast(ctx, y, type), emit::cast(ctx, x, type)}, sampling);
    ctx.onnx.refine(found, ctx.shape(images.x));
    const OnnxValue result = images.isLast ? found : toChannelsFirst(ctx, found);
    return emit::cast(ctx, images.isSingle ? emit::squeeze(ctx, result, {0}) : result, images.type);
}

/// The columns of a matrix (N, count), each to be combined with (N, H, W).
OnnxValues columnsOf(const NodeContext& ctx, OnnxValue matrix, std::int64_t count)
{
    OnnxValues columns;
    for (const OnnxValue column : emit::split(ctx, matrix, 1, Ints(static_cast<std::size_t>(count), 1))) {
        columns.push_back(emit::unsqueeze(ctx, column, {2}));
    }
    return columns;
}

/// Where each pixel comes from, by eight numbers for each image: ((t0 x + t1 y + t2) / k, (t3 x + t4 y + t5) / k) with
/// k = t6 x + t7 y + 1, or 1 without them.
struct Sources {
    OnnxValue y;
    OnnxValue x;
};

Sources projected(const NodeContext& ctx, const ReadImages& images, OnnxValue transforms, bool isAffine)
{
    const ElementType type = ctx.element(transforms);
    const OnnxValue x = places(ctx, images, 2, type);
    const OnnxValue y = places(ctx, images, 1, type);
    const OnnxValues t = columnsOf(ctx, transforms, 8);
    const auto combined = [&](std::size_t first, OnnxValue offset) {
        const OnnxValue sum = ctx.emit("Add", {ctx.emit("Mul", {t[first], x}), ctx.emit("Mul", {t[first + 1], y})});
        return ctx.emit("Add", {sum, offset});
    };
    Sources sources{.y = combined(3, t[5]), .x = combined(0, t[2])};
    if (!isAffine) {
        const OnnxValue divisor = combined(6, ctx.onnx.scalar(type, 1));
        sources = {.y = ctx.emit("Div", {sources.y, divisor}), .x = ctx.emit("Div", {sources.x, divisor})};
    }
    return sources;
}

OnnxValues affineTransform(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const ReadImages images = readImagesOf(layer);
    OnnxValue transforms = emit::cast(ctx, arguments.tensor({"1", "transform"}), ElementType::Float32);
    const std::size_t rank = ctx.rank(transforms);
    if (rank != 1 && rank != 2) {
        ctx.invalid(fmt::format("a transform of {} dimensions", rank), "transform");
    }
    transforms = rank == 1 ? emit::unsqueeze(ctx, transforms, {0}) : transforms;
    bool isAffine = false;
    if (const Tensor* known = ctx.onnx.content(transforms); known != nullptr && known->elements() % 8 == 0) {
        const std::vector<double> numbers = known->toDoubles();
        isAffine = true;
        for (std::size_t i = 0; i < numbers.size(); i += 8) {
            isAffine = isAffine && numbers[i + 6] == 0 && numbers[i + 7] == 0;
        }
    }
    const std::string mode = arguments.text({"fill_mode"}, "constant");
    if (!isAffine) {
        ctx.note("backend-dependent",
                 "the last two numbers of a transform divide the coordinates, as Keras documents; only "
                 "its TensorFlow backend does so",
                 "transform");
    }
    if (mode == "wrap") {
        ctx.note("backend-dependent",
                 "between the last pixel and the first one the image is interpolated; Keras on "
                 "TensorFlow repeats the last pixel there",
                 "fill_mode");
    }
    const Sources sources = projected(ctx, images, transforms, isAffine);
    const CoordinateSampling sampling{isLinear(layer), continuationOf(layer, mode),
                                      arguments.number({"fill_value"}, 0)};
    return {readAt(layer, images, sources.y, sources.x, sampling)};
}

/// The transform (N, 8) that leads from the end points back to the start points, both (N, 4, 2).
OnnxValue homography(const NodeContext& ctx, OnnxValue start, OnnxValue end)
{
    const OnnxValue one = ctx.onnx.scalar(ctx.element(end), 1);
    const OnnxValues from = emit::split(ctx, start, 2, {1, 1}); // (N, 4, 1)
    const OnnxValues to = emit::split(ctx, end, 2, {1, 1});
    const OnnxValue zeros = ctx.emit("Mul", {to[0], ctx.onnx.scalar(ctx.element(end), 0)});
    const OnnxValue ones = ctx.emit("Add", {zeros, one});
    const auto product = [&](OnnxValue a, OnnxValue b) { return ctx.emit("Neg", {ctx.emit("Mul", {a, b})}); };
    const OnnxValue forX = emit::concat(
        ctx, {to[0], to[1], ones, zeros, zeros, zeros, product(from[0], to[0]), product(from[0], to[1])}, 2);
    const OnnxValue forY = emit::concat(
        ctx, {zeros, zeros, zeros, to[0], to[1], ones, product(from[1], to[0]), product(from[1], to[1])}, 2);
    const OnnxValue a = emit::concat(ctx, {forX, forY}, 1);
    return emit::squeeze(ctx, linear::solved(ctx, a, emit::concat(ctx, from, 1)), {2});
}

OnnxValues perspectiveTransform(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const ReadImages images = readImagesOf(layer);
    const auto points = [&](Arguments::Names names) {
        OnnxValue x = emit::cast(ctx, arguments.tensor(names), ElementType::Float64); // the solution needs the digits
        const Shape& shape = ctx.shape(x);
        const bool fits =
            (shape.size() == 2 || shape.size() == 3) && ctx.fixedDim(x, -2) == 4 && ctx.fixedDim(x, -1) == 2;
        if (!fits) {
            ctx.invalid(fmt::format("points {} instead of four pairs", toString(shape)), *(names.end() - 1));
        }
        return shape.size() == 2 ? emit::unsqueeze(ctx, x, {0}) : x;
    };
    const OnnxValue start = points({"1", "start_points"});
    const OnnxValue transforms =
        emit::cast(ctx, homography(ctx, start, points({"2", "end_points"})), ElementType::Float32);
    const Sources sources = projected(ctx, images, transforms, false);
    const CoordinateSampling sampling{isLinear(layer), Continuation::Value, arguments.number({"fill_value"}, 0)};
    return {readAt(layer, images, sources.y, sources.x, sampling)};
}

OnnxValues mapCoordinates(const Layer& layer)
{
    constexpr std::int64_t mostAxes = 8; // each doubles the elements that a result is interpolated from
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue given = arguments.tensor({"0", "inputs"});
    const OnnxValue coordinates = arguments.tensor({"1", "coordinates"});
    const auto axes = static_cast<std::int64_t>(ctx.rank(given));
    if (ctx.rank(coordinates) < 2 || ctx.fixedDim(coordinates, 0) != axes) {
        ctx.invalid(fmt::format("coordinates {} for {} axes", toString(ctx.shape(coordinates)), axes), "coordinates");
    }
    if (axes > mostAxes) {
        layer.refuse(fmt::format("coordinates along {} axes", axes), "inputs");
    }
    const std::int64_t order = arguments.integer({"order"});
    const std::string mode = arguments.text({"fill_mode"}, "constant");
    if (order != 0 && order != 1) {
        ctx.invalid(fmt::format("order {} is neither 0 nor 1", order), "order");
    }
    const ElementType type = ctx.element(given);
    if (order == 1 && !isFloating(type)) {
        layer.refuse(
            fmt::format("interpolation of {}, which Keras's backends round differently", elementTypeName(type)),
            "inputs", "cast the inputs to float32");
    }
    if (order == 0) {
        ctx.note("backend-dependent",
                 "coordinates halfway between two elements select the one farther from zero, as on "
                 "JAX; other backends of Keras differ",
                 "order");
    }
    if (mode == "mirror" || mode == "reflect") {
        ctx.note("backend-dependent",
                 fmt::format("{} is computed as on JAX; Keras on TensorFlow returns other elements", mode),
                 "fill_mode");
    }
    const ElementType work = type == ElementType::Float64 ? type : ElementType::Float32;
    OnnxValues parts;
    for (const OnnxValue part : emit::split(ctx, coordinates, 0, Ints(static_cast<std::size_t>(axes), 1))) {
        parts.push_back(emit::cast(ctx, emit::squeeze(ctx, part, {0}), work));
    }
    GridRows data{.rows = emit::reshape(ctx, order == 1 ? emit::cast(ctx, given, work) : given, Ints{-1}),
                  .sizes = {},
                  .grid = {}};
    for (std::int64_t axis = 0; axis < axes; ++axis) {
        data.sizes.push_back(emit::dimVector(ctx, given, axis));
    }
    const CoordinateSampling sampling{order == 1, continuationOf(layer, mode), arguments.number({"fill_value"}, 0)};
    const OnnxValue found = sampledAt(ctx, data, parts, sampling);
    ctx.onnx.refine(found, ctx.shape(parts.front()));
    return {emit::cast(ctx, found, type)};
}
} // namespace

std::span<const OpRow> imageTransformOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.AffineTransform", affineTransform, "Gather, Where, Mul, Sum"},
        {"ops.MapCoordinates", mapCoordinates, "Gather, Where, Mul, Sum"},
        {"ops.PerspectiveTransform", perspectiveTransform, "Scan, Gather, Where, Mul, Sum"},
    };
    return rows;
}

} // namespace crosswalk::keras
