// _contrib_BilinearResize2D, _contrib_AdaptiveAvgPooling2D, and resizing for the families that need it.

#include "core/formats/mxnet/ops/vision/resize.h"

#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/precision.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxAttributes resizeAttributes(std::string_view mode, Coordinates coordinates)
{
    OnnxAttributes attributes{
        {"mode", std::string(mode)},
        {"coordinate_transformation_mode", coordinates == Coordinates::AlignCorners ? "align_corners"
                                           : coordinates == Coordinates::HalfPixel  ? "pytorch_half_pixel"
                                                                                    : "asymmetric"}};
    if (mode == "nearest") {
        attributes.emplace_back("nearest_mode", "floor");
    }
    return attributes;
}

/// Opset 11 wants a region of interest even where it means nothing.
OnnxValue noRegion(const NodeContext& ctx)
{
    return ctx.onnx.opset() >= 13 ? OnnxValue{} : ctx.onnx.constant(Tensor::filled(ElementType::Float32, {0}, 0));
}

OnnxValue nearest(const NodeContext& ctx, OnnxValue x, const std::vector<float>& scales)
{
    const auto rank = static_cast<std::int64_t>(scales.size());
    return ctx.emit("Resize",
                    {x, noRegion(ctx), ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, {rank}, scales))},
                    resizeAttributes("nearest", Coordinates::Asymmetric));
}

} // namespace

OnnxValue enlarge(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t times)
{
    std::vector<float> scales(ctx.rank(x), 1);
    scales[static_cast<std::size_t>(axis)] = static_cast<float>(times);
    return nearest(ctx, x, scales);
}

OnnxValue enlarge(const NodeContext& ctx, OnnxValue x, std::int64_t times)
{
    if (times == 1) {
        return x;
    }
    if (ctx.element(x) == ElementType::Float64) { // which Resize has no kernel for
        OnnxValue wide = emit::unsqueeze(ctx, x, {3, 5});
        wide = ctx.emit("Tile", {wide, ctx.onnx.ints({1, 1, 1, times, 1, times})});
        const OnnxValue height = sizes::times(ctx, emit::dimVector(ctx, x, 2), times);
        return emit::reshape(
            ctx, wide,
            emit::concat(ctx, {emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1), height, ctx.onnx.ints({-1})},
                         0));
    }
    const auto factor = static_cast<float>(times);
    return nearest(ctx, x, {1, 1, factor, factor});
}

OnnxValue resizeTo(const NodeContext& ctx, OnnxValue x, OnnxValue height, OnnxValue width, std::string_view mode,
                   Coordinates coordinates)
{
    OnnxAttributes attributes = resizeAttributes(mode, coordinates);
    OnnxValue size = emit::concat(ctx, {height, width}, 0);
    const Shape& from = ctx.shape(x);
    if (ctx.onnx.opset() >= 18 && !(from[0].isFixed() && from[1].isFixed())) {
        attributes.emplace_back("axes", Ints{2, 3});
    } else {
        size = emit::concat(ctx, {emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1), size}, 0);
    }
    Shape shape{from[0], from[1], sizes::asDim(ctx, height), sizes::asDim(ctx, width)};
    const OnnxValue noScales = ctx.onnx.opset() >= 13 ? OnnxValue{} : noRegion(ctx);
    const OnnxValue y = ctx.emit("Resize", {x, noRegion(ctx), noScales, size}, attributes);
    ctx.onnx.refine(y, shape);
    return y;
}

OnnxValue transformRowsAndColumns(const NodeContext& ctx, OnnxValue x, const Tensor& a, const Tensor& b)
{
    const Precision precision(ctx, x);
    const OnnxValue rows = ctx.onnx.constant(a.converted(precision.wide()));
    const OnnxValue columns = ctx.onnx.constant(b.converted(precision.wide()).transposed(Ints{1, 0}));
    const OnnxValue y = ctx.emit("MatMul", {ctx.emit("MatMul", {rows, precision.widen(x)}), columns});
    return precision.restore(y);
}

namespace {

/// Where MXNet looks for element `place` of the result: computed in single precision, never before the first.
float sourcePlace(std::int64_t place, std::int64_t from, std::int64_t to, bool alignCorners)
{
    if (to <= 1) {
        return 0;
    }
    const auto index = static_cast<float>(place);
    if (alignCorners) {
        return static_cast<float>(from - 1) / static_cast<float>(to - 1) * index;
    }
    const float scale = static_cast<float>(from) / static_cast<float>(to);
    return std::max(scale * (index + 0.5F) - 0.5F, 0.0F);
}

/// The two weights of each element of the result, as a matrix (to, from).
Tensor interpolation(std::int64_t from, std::int64_t to, bool alignCorners)
{
    std::vector<double> weights(static_cast<std::size_t>(from * to), 0.0);
    for (std::int64_t i = 0; i < to; ++i) {
        const float place = sourcePlace(i, from, to, alignCorners);
        const auto first = std::min(static_cast<std::int64_t>(place), from - 1);
        const auto second = std::min(first + 1, from - 1);
        const auto part = static_cast<double>(place - static_cast<float>(first));
        weights[static_cast<std::size_t>(i * from + first)] += 1 - part;
        weights[static_cast<std::size_t>(i * from + second)] += part;
    }
    return Tensor::of<double>(ElementType::Float64, {to, from}, weights);
}

OnnxValue wantedSize(const NodeContext& ctx, const Attributes& attributes, const std::string& mode, std::int64_t axis)
{
    const std::string suffix = axis == 2 ? "height" : "width";
    const OnnxValue size = emit::dimVector(ctx, ctx.input(0), axis);
    if (mode == "like") {
        return emit::dimVector(ctx, ctx.input(1), axis);
    }
    if (mode == "size") { // MXNet looks at scale_height alone
        return attributes.has("scale_height")
                   ? sizes::scaled(ctx, size, static_cast<float>(attributes.number("scale_" + suffix)))
                   : ctx.onnx.ints({attributes.integer(suffix, 1)});
    }
    const OnnxValue odd = sizes::modulo(ctx, size, 2);
    if (mode == "odd_scale") {
        const auto scale = static_cast<float>(attributes.number("scale_" + suffix));
        return sizes::plus(ctx, sizes::scaled(ctx, sizes::minus(ctx, size, odd), scale), odd);
    }
    if (mode == "to_even_down") {
        return sizes::minus(ctx, size, odd);
    }
    if (mode == "to_even_up") {
        return sizes::plus(ctx, size, odd);
    }
    const OnnxValue even = sizes::minus(ctx, ctx.onnx.ints({1}), odd);
    return mode == "to_odd_down" ? sizes::minus(ctx, size, even) : sizes::plus(ctx, size, even);
}

OnnxValues bilinearResize(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::string mode = attributes.choice(
        "mode", {"size", "odd_scale", "like", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"}, "size");
    const bool alignCorners = attributes.boolean("align_corners", true);
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("BilinearResize2D takes images: data of 4 dimensions");
    }
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        ctx.invalid(fmt::format("BilinearResize2D takes floating types, not {}", elementTypeName(type)));
    }
    const OnnxValue height = wantedSize(ctx, attributes, mode, 2);
    const OnnxValue width = wantedSize(ctx, attributes, mode, 3);
    const Shape& from = ctx.shape(x);
    const Dim toHeight = sizes::asDim(ctx, height);
    const Dim toWidth = sizes::asDim(ctx, width);
    if ((toHeight.isFixed() && toHeight.size < 1) || (toWidth.isFixed() && toWidth.size < 1)) {
        ctx.invalid("the result has no size");
    }
    if (toHeight.isFixed() && toHeight == from[2] && toWidth == from[3]) {
        return {x};
    }
    if (type == ElementType::Float32 || type == ElementType::Float16) {
        const Precision precision(ctx, x);
        const OnnxValue y = resizeTo(ctx, precision.widen(x), height, width, "linear",
                                     alignCorners ? Coordinates::AlignCorners : Coordinates::HalfPixel);
        return {precision.restore(y)};
    }
    if (!toHeight.isFixed() || !toWidth.isFixed()) {
        throw UnknownShape("unknown-shape", fmt::format("resizing {} needs a fixed size", elementTypeName(type)));
    }
    return {transformRowsAndColumns(ctx, x, interpolation(ctx.fixedDim(x, 2), toHeight.size, alignCorners),
                                    interpolation(ctx.fixedDim(x, 3), toWidth.size, alignCorners))};
}

/// Each element of the result averages a range of its own: a row of weights for it.
Tensor averages(std::int64_t from, std::int64_t to)
{
    std::vector<double> weights(static_cast<std::size_t>(from * to), 0.0);
    for (std::int64_t i = 0; i < to; ++i) {
        const std::int64_t first = i * from / to;
        const std::int64_t end = ((i + 1) * from + to - 1) / to;
        for (std::int64_t k = first; k < end; ++k) {
            weights[static_cast<std::size_t>(i * from + k)] = 1.0 / static_cast<double>(end - first);
        }
    }
    return Tensor::of<double>(ElementType::Float64, {to, from}, weights);
}

OnnxValues adaptiveAverage(NodeContext& ctx)
{
    const Ints given = Attributes(ctx).ints("output_size");
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("AdaptiveAvgPooling2D takes images: data of 4 dimensions");
    }
    const bool isGlobal = given.empty() || given.size() > 2;
    const std::int64_t height = isGlobal ? 1 : given.front();
    const std::int64_t width = isGlobal ? 1 : given.back();
    if (height < 1 || width < 1) {
        ctx.invalid("output_size is not positive", "output_size");
    }
    const bool isDouble = ctx.element(x) == ElementType::Float64;
    if (height == 1 && width == 1) {
        return {isDouble ? emit::reduce(ctx, "ReduceMean", x, {2, 3}, true) : ctx.emit("GlobalAveragePool", {x})};
    }
    const std::int64_t fromHeight = ctx.fixedDim(x, 2);
    const std::int64_t fromWidth = ctx.fixedDim(x, 3);
    if (fromHeight == height && fromWidth == width) {
        return {x};
    }
    if (fromHeight % height == 0 && fromWidth % width == 0 && !isDouble) {
        const Ints step{fromHeight / height, fromWidth / width};
        return {ctx.emit("AveragePool", {x}, {{"kernel_shape", step}, {"strides", step}})};
    }
    return {transformRowsAndColumns(ctx, x, averages(fromHeight, height), averages(fromWidth, width))};
}

constexpr OpRow rows[] = {
    {"_contrib_AdaptiveAvgPooling2D", adaptiveAverage, "GlobalAveragePool, AveragePool or MatMul"},
    {"_contrib_BilinearResize2D", bilinearResize, "Resize"},
};

} // namespace

std::span<const OpRow> resizeOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
