// Poolings over windows, over everything, and over as many windows as the result has elements.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/nn/pooling.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {
namespace {

struct Pooled {
    OnnxValue x; ///< channels first
    Window window;
};

Pooled pooledOf(const Layer& layer)
{
    const std::size_t dimensions = layer.ctx.rank(layer.input(0));
    if (dimensions < 3) {
        layer.ctx.invalid(fmt::format("data of {} dimensions", dimensions));
    }
    const std::size_t rank = dimensions - 2;
    Pooled pooled;
    pooled.window.kernel = perAxis(layer, "pool_size", rank, 2);
    pooled.window.stride = layer.settings.has("strides") ? perAxis(layer, "strides", rank, 1) : pooled.window.kernel;
    pooled.window.dilate.assign(rank, 1);
    pooled.x = channelsFirst(layer, layer.input(0));
    return pooled;
}

OnnxAttributes attributesOf(const Window& window, const WindowPadding& padding)
{
    OnnxAttributes attributes{{"kernel_shape", window.kernel}, {"strides", window.stride}};
    padding.appendTo(attributes);
    return attributes;
}

/// In float64, which contains all 32-bit integers.
OnnxValue maximumOfIntegers(const Layer& layer, const Pooled& pooled)
{
    const NodeContext& ctx = layer.ctx;
    const ElementType own = ctx.element(pooled.x);
    if (own == ElementType::Int64 || own == ElementType::UInt64) {
        layer.refuse(fmt::format("a maximum over windows of {}", elementTypeName(own)), {}, "cast the data to float32");
    }
    constexpr double least = -std::numeric_limits<double>::infinity();
    const OnnxValue x = emit::cast(ctx, pooled.x, ElementType::Float64);
    const WindowPadding padding = paddingOf(layer, x, pooled.window, least);
    if (padding.isSame) {
        layer.refuse("a maximum over windows of integers requires fixed sizes", "padding",
                     "fix the shapes of the inputs");
    }
    const OnnxValue y = pool(
        ctx, padding.x,
        {.kind = PoolKind::Max, .window = pooled.window, .begin = padding.begin, .end = padding.end, .least = least});
    return emit::cast(ctx, y, own);
}

OnnxValues maxPooling(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Pooled pooled = pooledOf(layer);
    const ElementType own = ctx.element(pooled.x);
    if (!isFloating(own)) {
        return {inLayout(layer, maximumOfIntegers(layer, pooled))};
    }
    constexpr double least = -std::numeric_limits<double>::infinity();
    const WindowPadding padding = paddingOf(layer, pooled.x, pooled.window, least);
    const OnnxValue y = padding.isSame ? ctx.emit("MaxPool", {padding.x}, attributesOf(pooled.window, padding))
                                       : pool(ctx, padding.x,
                                              {.kind = PoolKind::Max,
                                               .window = pooled.window,
                                               .begin = padding.begin,
                                               .end = padding.end,
                                               .least = least});
    return {inLayout(layer, y)};
}

/// Padding counts neither in the sum nor in the divisor.
OnnxValue averageOf(const Layer& layer, const Pooled& pooled)
{
    const NodeContext& ctx = layer.ctx;
    const WindowPadding padding = paddingOf(layer, pooled.x, pooled.window, 0);
    if (ctx.element(pooled.x) != ElementType::Float64 && padding.x == pooled.x) {
        return ctx.emit("AveragePool", {padding.x}, attributesOf(pooled.window, padding));
    }
    const auto padded = [&](OnnxValue x) {
        const WindowPadding own = paddingOf(layer, x, pooled.window, 0);
        if (own.isSame) {
            layer.refuse("an average of float64 requires fixed sizes", "padding", "fix the shapes of the inputs");
        }
        return padSpatial(ctx, own.x, own.begin, own.end, 0);
    };
    const OnnxValue ones = filledTo(ctx, ctx.element(pooled.x), 1, emit::shapeVector(ctx, pooled.x));
    return averageOfPresent(ctx, padded(pooled.x), padded(ones), pooled.window);
}

OnnxValues averagePooling(const Layer& layer)
{
    return {inLayout(layer, averageOf(layer, pooledOf(layer)))};
}

Ints spatialAxes(const Layer& layer, OnnxValue x)
{
    Ints axes;
    const auto rank = static_cast<std::int64_t>(layer.ctx.rank(x));
    const std::int64_t first = hasChannelsLast(layer) ? 1 : 2;
    for (std::int64_t i = 0; i < rank - 2; ++i) {
        axes.push_back(first + i);
    }
    return axes;
}

OnnxValues globalMaximum(const Layer& layer)
{
    const OnnxValue x = layer.input(0);
    return {reducedAlong(layer.ctx, "ReduceMax", x, spatialAxes(layer, x), layer.settings.boolean("keepdims", false))};
}

/// The mean of the steps that the mask (batch, time) selects.
OnnxValue maskedMean(const Layer& layer, OnnxValue x, OnnxValue mask, bool keepDims)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t time = hasChannelsLast(layer) ? 1 : 2;
    const OnnxValue weights =
        emit::unsqueeze(ctx, emit::cast(ctx, mask, ctx.element(x)), {hasChannelsLast(layer) ? 2 : 1});
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {x, weights}), {time}, keepDims);
    return ctx.emit("Div", {sum, emit::reduce(ctx, "ReduceSum", weights, {time}, keepDims)});
}

OnnxValues globalAverage(const Layer& layer)
{
    const OnnxValue x = layer.input(0);
    const bool keepDims = layer.settings.boolean("keepdims", false);
    if (layer.op() == "GlobalAveragePooling1D") {
        const OnnxValue given = layer.named("mask");
        if (const OnnxValue mask = given ? given : layer.mask()) {
            return {maskedMean(layer, x, mask, keepDims)};
        }
    }
    return {reducedAlong(layer.ctx, "ReduceMean", x, spatialAxes(layer, x), keepDims)};
}

OnnxValues adaptivePooling(const Layer& layer)
{
    OnnxValue y = layer.input(0);
    const Ints axes = spatialAxes(layer, y);
    const Ints counts = perAxis(layer, "output_size", axes.size(), 1);
    const bool isMaximum = layer.op().find("AdaptiveMax") != std::string::npos;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        y = forms::adaptivePool(layer.ctx, y, axes[i], counts[i], isMaximum ? "ReduceMax" : "ReduceMean");
    }
    return {y};
}
} // namespace

std::span<const OpRow> poolingLayers()
{
    static constexpr OpRow rows[] = {
        {"AdaptiveAveragePooling1D", adaptivePooling, "Slice, ReduceMean, Concat"},
        {"AdaptiveAveragePooling2D", adaptivePooling, "Slice, ReduceMean, Concat"},
        {"AdaptiveAveragePooling3D", adaptivePooling, "Slice, ReduceMean, Concat"},
        {"AdaptiveMaxPooling1D", adaptivePooling, "Slice, ReduceMax, Concat"},
        {"AdaptiveMaxPooling2D", adaptivePooling, "Slice, ReduceMax, Concat"},
        {"AdaptiveMaxPooling3D", adaptivePooling, "Slice, ReduceMax, Concat"},
        {"AveragePooling1D", averagePooling, "Transpose, AveragePool"},
        {"AveragePooling2D", averagePooling, "Transpose, AveragePool"},
        {"AveragePooling3D", averagePooling, "Transpose, AveragePool"},
        {"GlobalAveragePooling1D", globalAverage, "ReduceMean"},
        {"GlobalAveragePooling2D", globalAverage, "ReduceMean"},
        {"GlobalAveragePooling3D", globalAverage, "ReduceMean"},
        {"GlobalMaxPooling1D", globalMaximum, "ReduceMax"},
        {"GlobalMaxPooling2D", globalMaximum, "ReduceMax"},
        {"GlobalMaxPooling3D", globalMaximum, "ReduceMax"},
        {"MaxPooling1D", maxPooling, "Transpose, MaxPool"},
        {"MaxPooling2D", maxPooling, "Transpose, MaxPool"},
        {"MaxPooling3D", maxPooling, "Transpose, MaxPool"},
        {"ops.AdaptiveAveragePool", adaptivePooling, "Slice, ReduceMean, Concat"},
        {"ops.AdaptiveMaxPool", adaptivePooling, "Slice, ReduceMax, Concat"},
        {"ops.AveragePool", averagePooling, "Transpose, AveragePool"},
        {"ops.MaxPool", maxPooling, "Transpose, MaxPool"},
    };
    return rows;
}

} // namespace crosswalk::keras
