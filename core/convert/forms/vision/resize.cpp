#include "core/convert/forms/vision/resize.h"

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/sizes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

std::string_view nameOf(Coordinates coordinates)
{
    switch (coordinates) {
    case Coordinates::AlignCorners:
        return "align_corners";
    case Coordinates::HalfPixel:
        return "half_pixel";
    case Coordinates::HalfPixelFromFirst:
        return "pytorch_half_pixel";
    case Coordinates::Asymmetric:
        break;
    }
    return "asymmetric";
}

OnnxAttributes attributesOf(const Resizing& how)
{
    OnnxAttributes attributes{{"mode", how.isLinear ? "linear" : "nearest"},
                              {"coordinate_transformation_mode", std::string(nameOf(how.coordinates))}};
    if (!how.isLinear) {
        attributes.emplace_back("nearest_mode", how.roundsUp ? "round_prefer_ceil" : "floor");
    }
    return attributes;
}

/// Opset 11 requires a region of interest even if it is meaningless.
OnnxValue noRegion(const NodeContext& ctx)
{
    return ctx.onnx.opset() >= 13 ? OnnxValue{} : ctx.onnx.constant(Tensor::filled(ElementType::Float32, {0}, 0));
}

OnnxValue nearest(const NodeContext& ctx, OnnxValue x, const std::vector<float>& scales)
{
    const auto rank = static_cast<std::int64_t>(scales.size());
    return ctx.emit("Resize",
                    {x, noRegion(ctx), ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, {rank}, scales))},
                    attributesOf({.isLinear = false, .coordinates = Coordinates::Asymmetric}));
}

/// Where element `place` of the result is read: computed in single precision, never before the first.
float sourcePlace(std::int64_t place, std::int64_t from, std::int64_t to, Coordinates coordinates)
{
    if (to <= 1 && coordinates != Coordinates::HalfPixel) {
        return 0;
    }
    const auto index = static_cast<float>(place);
    if (coordinates == Coordinates::AlignCorners) {
        return static_cast<float>(from - 1) / static_cast<float>(to - 1) * index;
    }
    const float scale = static_cast<float>(from) / static_cast<float>(to);
    return std::max(scale * (index + 0.5F) - 0.5F, 0.0F);
}

/// The two weights of each element of the result, as a matrix (to, from).
Tensor interpolation(std::int64_t from, std::int64_t to, Coordinates coordinates)
{
    BoundsChecked<double> weights(static_cast<std::size_t>(saturatingProduct(from, to)), 0.0);
    for (std::int64_t i = 0; i < to; ++i) {
        const float place = sourcePlace(i, from, to, coordinates);
        const auto first = std::min(static_cast<std::int64_t>(place), from - 1);
        const auto second = std::min(first + 1, from - 1);
        const auto part = static_cast<double>(place - static_cast<float>(first));
        weights[static_cast<std::size_t>(i * from + first)] += 1 - part;
        weights[static_cast<std::size_t>(i * from + second)] += part;
    }
    return Tensor::of<double>(ElementType::Float64, {to, from}, weights);
}

/// Each element of the result averages a range of its own: a row of weights for it.
Tensor averages(std::int64_t from, std::int64_t to)
{
    BoundsChecked<double> weights(static_cast<std::size_t>(saturatingProduct(from, to)), 0.0);
    for (std::int64_t i = 0; i < to; ++i) {
        const std::int64_t first = i * from / to;
        const std::int64_t end = ((i + 1) * from + to - 1) / to;
        for (std::int64_t k = first; k < end; ++k) {
            weights[static_cast<std::size_t>(i * from + k)] = 1.0 / static_cast<double>(end - first);
        }
    }
    return Tensor::of<double>(ElementType::Float64, {to, from}, weights);
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
    if (ctx.element(x) == ElementType::Float64) { // for which Resize has no kernel
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

OnnxValue resizeTo(const NodeContext& ctx, OnnxValue x, OnnxValue height, OnnxValue width, const Resizing& how)
{
    const Shape& from = ctx.shape(x);
    // Sizes of all axes: ONNX Runtime 1.31 ignores the attribute `axes` where it moves a Transpose through the node.
    const OnnxValue size = emit::concat(
        ctx, {emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1), emit::concat(ctx, {height, width}, 0)}, 0);
    Shape shape{from[0], from[1], sizes::asDim(ctx, height), sizes::asDim(ctx, width)};
    const OnnxValue noScales = ctx.onnx.opset() >= 13 ? OnnxValue{} : noRegion(ctx);
    const OnnxValue y = ctx.emit("Resize", {x, noRegion(ctx), noScales, size}, attributesOf(how));
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

OnnxValue bilinearResize(const NodeContext& ctx, OnnxValue x, OnnxValue height, OnnxValue width,
                         Coordinates coordinates)
{
    const Shape& from = ctx.shape(x);
    const Dim toHeight = sizes::asDim(ctx, height);
    const Dim toWidth = sizes::asDim(ctx, width);
    if (toHeight.isFixed() && toHeight == from[2] && toWidth == from[3]) {
        return x;
    }
    const ElementType type = ctx.element(x);
    if (type == ElementType::Float32 || type == ElementType::Float16) {
        const Precision precision(ctx, x);
        return precision.restore(resizeTo(ctx, precision.widen(x), height, width, {.coordinates = coordinates}));
    }
    if (!toHeight.isFixed() || !toWidth.isFixed()) {
        throw UnknownShape("unknown-shape", fmt::format("resizing {} requires a fixed size", elementTypeName(type)));
    }
    return transformRowsAndColumns(ctx, x, interpolation(ctx.fixedDim(x, 2), toHeight.size, coordinates),
                                   interpolation(ctx.fixedDim(x, 3), toWidth.size, coordinates));
}

OnnxValue adaptiveAverage(const NodeContext& ctx, OnnxValue x, std::int64_t height, std::int64_t width)
{
    const bool isDouble = ctx.element(x) == ElementType::Float64;
    if (height == 1 && width == 1) {
        return isDouble ? emit::reduce(ctx, "ReduceMean", x, {2, 3}, true) : ctx.emit("GlobalAveragePool", {x});
    }
    const std::int64_t fromHeight = ctx.fixedDim(x, 2);
    const std::int64_t fromWidth = ctx.fixedDim(x, 3);
    if (fromHeight == height && fromWidth == width) {
        return x;
    }
    if (fromHeight % height == 0 && fromWidth % width == 0 && !isDouble) {
        const Ints step{fromHeight / height, fromWidth / width};
        return ctx.emit("AveragePool", {x}, {{"kernel_shape", step}, {"strides", step}});
    }
    constexpr std::int64_t mostWeights = std::int64_t{1} << 24; // 128 MB
    if (height > mostWeights / std::max<std::int64_t>(fromHeight, 1) ||
        width > mostWeights / std::max<std::int64_t>(fromWidth, 1)) {
        ctx.refuse(fmt::format("the averages over {} x {} elements to {} x {} need more than 128 MB of constants",
                               fromHeight, fromWidth, height, width));
    }
    return transformRowsAndColumns(ctx, x, averages(fromHeight, height), averages(fromWidth, width));
}

} // namespace crosswalk::forms
