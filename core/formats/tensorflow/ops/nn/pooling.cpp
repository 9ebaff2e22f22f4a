// MaxPool, AvgPool and MaxPoolWithArgmax. An average excludes the padding from the sum and from the divisor.

#include "core/convert/forms/nn/pooling.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace crosswalk::tensorflow {
namespace {

struct Pooled {
    OnnxValue x; ///< channels first
    Window window;
    bool channelsLast = true;
};

Pooled pooledOf(const NodeContext& ctx, const Settings& settings, const Ints& sizes, const Ints& strides)
{
    Pooled pooled;
    const OnnxValue x = ctx.input(0);
    pooled.channelsLast = ctx.node.op == "MaxPoolWithArgmax" ? true : hasChannelsLast(ctx, settings, ctx.rank(x));
    if (sizes.size() != ctx.rank(x) || strides.size() != ctx.rank(x)) {
        ctx.invalid(fmt::format("ksize and strides do not fit data of {} dimensions", ctx.rank(x)), "ksize");
    }
    pooled.window.kernel = spatialOf(ctx, sizes, pooled.channelsLast, "ksize");
    pooled.window.stride = spatialOf(ctx, strides, pooled.channelsLast, "strides");
    pooled.window.dilate.assign(pooled.window.rank(), 1);
    pooled.x = pooled.channelsLast ? toChannelsFirst(ctx, x) : x;
    return pooled;
}

Pooled pooledOf(const NodeContext& ctx, const Settings& settings)
{
    return pooledOf(ctx, settings, settings.ints("ksize"), settings.ints("strides"));
}

OnnxAttributes attributesOf(const Window& window, const WindowPadding& padding)
{
    OnnxAttributes attributes{{"kernel_shape", window.kernel}, {"strides", window.stride}};
    padding.appendTo(attributes);
    return attributes;
}

/// Whether the elements of the operand are bounded below: results of such activations, padded and moved or not.
bool isBoundedBelow(const NodeContext& ctx)
{
    static constexpr auto bounded =
        std::to_array<std::string_view>({"Relu", "Relu6", "Elu", "Selu", "Sigmoid", "Tanh", "Softplus", "Softmax",
                                         "Abs", "Square", "MaxPool", "ClipByValue"});
    static constexpr auto moving = std::to_array<std::string_view>(
        {"Identity", "Pad", "MirrorPad", "Reshape", "Transpose", "ExpandDims", "Squeeze", "ConcatV2"});
    ValueIds open{ctx.node.inputs[0]};
    std::set<ValueId> seen(open.begin(), open.end());
    while (!open.empty()) {
        const NodeId producer = ctx.graph.value(open.back()).producer;
        open.pop_back();
        if (!producer) {
            return false;
        }
        const Node& node = ctx.graph.node(producer);
        if (std::ranges::find(bounded, node.op) != bounded.end()) {
            continue;
        }
        if (std::ranges::find(moving, node.op) == moving.end() || node.inputs.empty()) {
            return false;
        }
        // Of a concatenation all parts count; its last input is the axis.
        const std::size_t parts = node.op == "ConcatV2" ? node.inputs.size() - 1 : 1;
        for (std::size_t i = 0; i < parts; ++i) {
            if (seen.insert(node.inputs[i]).second) {
                open.push_back(node.inputs[i]);
            }
        }
    }
    return true;
}

OnnxValue pooledMaximum(const NodeContext& ctx, const Settings& settings, const Pooled& pooled, OnnxValue x)
{
    const double filler = lowestNumber(ctx.element(x));
    const WindowPadding padding = paddingOf(ctx, settings, x, pooled.window, pooled.channelsLast, filler);
    if (!padding.isSame) {
        return pool(ctx, padding.x,
                    {.kind = PoolKind::Max,
                     .window = pooled.window,
                     .begin = padding.begin,
                     .end = padding.end,
                     .least = filler});
    }
    const ElementType type = ctx.element(x);
    if (!isFloating(type) && type != ElementType::Int8 && type != ElementType::UInt8) {
        ctx.refuse(fmt::format("MaxPool of {} requires fixed sizes", elementTypeName(ctx.element(pooled.x))), "T",
                   "fix the shapes of the inputs");
    }
    return ctx.emit("MaxPool", {padding.x}, attributesOf(pooled.window, padding));
}

OnnxValue maximum(const NodeContext& ctx, const Settings& settings, const Pooled& pooled)
{
    const ElementType own = ctx.element(pooled.x);
    const bool hasKernel = own != ElementType::BFloat16 && own != ElementType::Int16 && own != ElementType::UInt16;
    const OnnxValue y =
        pooledMaximum(ctx, settings, pooled, hasKernel ? pooled.x : emit::cast(ctx, pooled.x, widened(own)));
    // TensorFlow begins with the lowest finite number. A further node for that in half or single precision would be a
    // high price.
    if (own == ElementType::Float64) {
        return ctx.emit("Max", {y, emit::scalarLike(ctx, y, lowestNumber(own))});
    }
    if ((own == ElementType::Float32 || own == ElementType::Float16) && !isBoundedBelow(ctx)) {
        ctx.note("pool-of-infinities", "the maximum of a window of -inf is the lowest finite number in TensorFlow, "
                                       "and may be -inf in the exported model");
    }
    return emit::cast(ctx, y, own);
}

OnnxValues maxPool(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Pooled pooled = pooledOf(ctx, settings);
    const OnnxValue y = maximum(ctx, settings, pooled);
    return {pooled.channelsLast ? toChannelsLast(ctx, y) : y};
}

/// Window and strides are operands.
OnnxValues maxPoolV2(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Pooled pooled = pooledOf(ctx, settings, constantInts(ctx, 1, "ksize"), constantInts(ctx, 2, "strides"));
    const OnnxValue y = maximum(ctx, settings, pooled);
    return {pooled.channelsLast ? toChannelsLast(ctx, y) : y};
}

/// Doubles, for which ONNX Runtime has no AveragePool, and explicit padding.
OnnxValue averageOfSlices(const NodeContext& ctx, const Settings& settings, const Pooled& pooled)
{
    const auto padded = [&](OnnxValue x) {
        const WindowPadding padding = paddingOf(ctx, settings, x, pooled.window, pooled.channelsLast, 0);
        if (padding.isSame) {
            ctx.refuse("an average of doubles requires fixed sizes", "T", "fix the shapes of the inputs");
        }
        return padSpatial(ctx, padding.x, padding.begin, padding.end, 0);
    };
    const OnnxValue ones = filledTo(ctx, ctx.element(pooled.x), 1, emit::shapeVector(ctx, pooled.x));
    return averageOfPresent(ctx, padded(pooled.x), padded(ones), pooled.window);
}

OnnxValues averagePool(NodeContext& ctx)
{
    const Settings settings(ctx);
    Pooled pooled = pooledOf(ctx, settings);
    const ElementType own = ctx.element(pooled.x);
    pooled.x = emit::cast(ctx, pooled.x, widened(own));
    const WindowPadding padding = paddingOf(ctx, settings, pooled.x, pooled.window, pooled.channelsLast, 0);
    const OnnxValue y = own == ElementType::Float64 || padding.x != pooled.x
                            ? averageOfSlices(ctx, settings, pooled)
                            : ctx.emit("AveragePool", {padding.x}, attributesOf(pooled.window, padding));
    const OnnxValue result = emit::cast(ctx, y, own);
    return {pooled.channelsLast ? toChannelsLast(ctx, result) : result};
}

/// TensorFlow counts an index through (height, width, channels) of an image, ONNX through (batch, channels, height,
/// width).
OnnxValues maxPoolWithArgmax(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Pooled pooled = pooledOf(ctx, settings);
    const ElementType own = ctx.element(pooled.x);
    if (own == ElementType::Int64 || own == ElementType::UInt64) {
        ctx.refuse(fmt::format("MaxPoolWithArgmax of {}", elementTypeName(own)), "T", "cast the data to float32");
    }
    const bool isByte = own == ElementType::Int8 || own == ElementType::UInt8;
    const ElementType exact = byteSize(own) == 4 ? ElementType::Float64 : ElementType::Float32;
    const OnnxValue x = emit::cast(ctx, pooled.x, isFloating(own) ? widened(own) : isByte ? own : exact);
    const WindowPadding padding = paddingOf(ctx, settings, x, pooled.window, true, 0);
    if (padding.x != x) {
        ctx.refuse("indices of a window smaller than its stride require fixed sizes", "padding",
                   "fix the shapes of the inputs");
    }
    const OnnxValues results = ctx.onnx.add("MaxPool", {x}, attributesOf(pooled.window, padding), 2);
    const OnnxValue pixels = emit::dimProduct(ctx, x, {2, 3});
    const OnnxValue channels = emit::dimVector(ctx, x, 1);
    const OnnxValue planes = ctx.emit("Div", {results[1], pixels});
    const OnnxValue place = ctx.emit("Mod", {results[1], pixels});
    OnnxValue index = ctx.emit("Add", {ctx.emit("Mul", {place, channels}), ctx.emit("Mod", {planes, channels})});
    if (settings.boolean("include_batch_in_index")) {
        const OnnxValue image = ctx.emit("Mul", {pixels, channels});
        index = ctx.emit("Add", {index, ctx.emit("Mul", {ctx.emit("Div", {planes, channels}), image})});
    }
    return {emit::cast(ctx, toChannelsLast(ctx, results[0]), own),
            emit::cast(ctx, toChannelsLast(ctx, index), settings.elementType("Targmax"))};
}

} // namespace

std::span<const OpRow> poolingOps()
{
    static constexpr OpRow rows[] = {
        {"AvgPool", averagePool, "Transpose, AveragePool"},
        {"AvgPool3D", averagePool, "Transpose, AveragePool"},
        {"MaxPool", maxPool, "Transpose, MaxPool"},
        {"MaxPool3D", maxPool, "Transpose, MaxPool"},
        {"MaxPoolV2", maxPoolV2, "Transpose, MaxPool"},
        {"MaxPoolWithArgmax", maxPoolWithArgmax, "Transpose, MaxPool"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
