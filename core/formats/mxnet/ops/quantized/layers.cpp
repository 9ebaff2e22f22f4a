// Layers that compute with 8-bit levels and accumulate in 32 bits.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/indices.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/nn/pool_attributes.h"
#include "core/formats/mxnet/ops/nn/window_attributes.h"
#include "core/formats/mxnet/ops/quantized/range_attributes.h"

#include <numeric>

namespace crosswalk::mxnet {
namespace {

using quantized::Range;

/// The range of sums of products: as many levels as 32 bits have, each worth a level of both factors.
Range rangeOfProducts(const NodeContext& ctx, const Range& a, float levelsOfA, const Range& b, float levelsOfB)
{
    const OnnxValue first = quantized::quotient(ctx, a.reach(ctx), quantized::number(ctx, levelsOfA));
    const OnnxValue second = quantized::quotient(ctx, b.reach(ctx), quantized::number(ctx, levelsOfB));
    const OnnxValue all = quantized::number(ctx, quantized::levels(ElementType::Int32));
    return Range::around(ctx, quantized::product(ctx, quantized::product(ctx, first, second), all));
}

constexpr float signedLevels = 127;
constexpr float unsignedLevels = 255;

OnnxValue signedSpan(const NodeContext& ctx)
{
    return quantized::number(ctx, quantized::span(ElementType::Int8));
}

/// The bias in the levels of the sums, truncated.
OnnxValue biasInSums(const NodeContext& ctx, OnnxValue bias, const Range& range, OnnxValue scale)
{
    const OnnxValue reach = quantized::product(ctx, scale, range.reach(ctx));
    const OnnxValue rescale = quantized::quotient(ctx, reach, signedSpan(ctx));
    const OnnxValue moved = ctx.emit("Mul", {emit::cast(ctx, bias, ElementType::Float32), rescale});
    return emit::cast(ctx, moved, ElementType::Int32);
}

OnnxValues fullyConnected(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool isBiased = !attributes.boolean("no_bias", false);
    const std::int64_t units = attributes.integer("num_hidden");
    OnnxValue x = ctx.input(0);
    quantized::expectBytes(ctx, x);
    if (attributes.boolean("flatten", true) && ctx.rank(x) != 2) {
        x = ctx.emit("Flatten", {x}, {{"axis", 1}});
    }
    const Dim& depth = ctx.shape(x).back();
    ctx.expectWeight(1, {Dim(units), depth.isFixed() ? depth : Dim()});
    const std::size_t first = isBiased ? 3 : 2;
    const Range ofData = rangeOfInputs(ctx, first, first + 1);
    const Range ofWeight = rangeOfInputs(ctx, first + 2, first + 3);
    OnnxValue y = ctx.emit("MatMulInteger", {x, emit::transpose(ctx, ctx.input(1), {1, 0})});
    if (isBiased) {
        ctx.expectWeight(2, {Dim(units)});
        const OnnxValue scale = quantized::product(ctx, quantized::scaleOf(ctx, ctx.element(x), ofData),
                                                   quantized::scaleOf(ctx, ElementType::Int8, ofWeight));
        const Range ofBias = rangeOfInputs(ctx, first + 4, first + 5);
        y = ctx.emit("Add", {y, biasInSums(ctx, ctx.input(2), ofBias, scale)});
    }
    const bool isUnsigned = ctx.element(x) == ElementType::UInt8;
    return rangeOfProducts(ctx, ofData, signedLevels, ofWeight, isUnsigned ? unsignedLevels : signedLevels)
        .with(ctx, y);
}

OnnxValues convolution(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) != ElementType::UInt8 || window.channelsLast || attributes.integer("num_group", 1) != 1) {
        ctx.invalid("quantized_conv accepts uint8 only with the channels first and in one group");
    }
    const bool isBiased = !attributes.boolean("no_bias", false);
    const Dim filters(attributes.integer("num_filter"));
    Shape expected{filters, ctx.shape(x).at(1).isFixed() ? ctx.shape(x)[1] : Dim()};
    expected.insert(expected.end(), window.kernel.begin(), window.kernel.end());
    ctx.expectWeight(1, expected);
    OnnxValue y = ctx.emit("ConvInteger", {x, ctx.input(1)},
                           {{"kernel_shape", window.kernel},
                            {"strides", window.stride},
                            {"dilations", window.dilate},
                            {"pads", onnxPads(window.pad, window.pad)}});
    if (isBiased) { // added unscaled, whatever its range
        ctx.expectWeight(2, {filters});
        Ints behind(window.rank());
        std::iota(behind.begin(), behind.end(), 1);
        const OnnxValue bias = emit::cast(ctx, ctx.input(2), ElementType::Int32);
        y = ctx.emit("Add", {y, emit::unsqueeze(ctx, bias, behind)});
    }
    const std::size_t first = isBiased ? 3 : 2;
    const Range ofData = rangeOfInputs(ctx, first, first + 1);
    const Range ofWeight = rangeOfInputs(ctx, first + 2, first + 3);
    return rangeOfProducts(ctx, ofData, signedLevels, ofWeight, signedLevels).with(ctx, y); // uint8 counts as 127 here
}

/// In levels of the input: gamma and beta take the ranges in, the statistics become 0 and 1.
OnnxValues batchNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto range = calibratedRange(ctx);
    if (!range) {
        ctx.invalid("quantized_batch_norm requires min_calib_range and max_calib_range", "min_calib_range");
    }
    OnnxValue x = ctx.input(0);
    quantized::expectBytes(ctx, x);
    const std::int64_t axis = ctx.axis(attributes.integer("axis", 1), ctx.rank(x));
    for (std::size_t i = 1; i < 5; ++i) {
        ctx.expectWeight(i, {ctx.shape(x)[static_cast<std::size_t>(axis)]});
    }
    x = emit::cast(ctx, x, ElementType::Float32);
    if (ctx.element(ctx.input(0)) == ElementType::UInt8) {
        const OnnxValue half =
            quantized::number(ctx, quantized::span(ElementType::Int8) / quantized::span(ElementType::UInt8));
        x = emit::cast(ctx, quantized::quantize(ctx, x, half, ElementType::Int8), ElementType::Float32);
    }
    const OnnxValue eps = quantized::number(ctx, static_cast<float>(attributes.number("eps", 1e-3)));
    const auto deviation = [&](OnnxValue variance) { return ctx.emit("Sqrt", {ctx.emit("Add", {variance, eps})}); };
    const OnnxValue factor = ctx.emit("Mul", {ctx.input(1), ctx.emit("Reciprocal", {deviation(ctx.input(4))})});
    const OnnxValue reach = range->reach(ctx);
    const OnnxValue gamma = ctx.emit("Div", {ctx.emit("Mul", {factor, rangeOfInputs(ctx, 5, 6).reach(ctx)}), reach});
    const OnnxValue shift = ctx.emit("Sub", {ctx.input(2), ctx.emit("Mul", {ctx.input(3), factor})});
    const OnnxValue beta = ctx.emit("Div", {ctx.emit("Mul", {shift, signedSpan(ctx)}), reach});
    Ints behind(ctx.rank(x) - 1 - static_cast<std::size_t>(axis));
    std::iota(behind.begin(), behind.end(), 1);
    const auto along = [&](OnnxValue v) { return emit::unsqueeze(ctx, v, behind); };
    const OnnxValue scale = ctx.emit("Div", {gamma, deviation(quantized::number(ctx, 1))});
    const OnnxValue y = ctx.emit("Add", {ctx.emit("Mul", {x, along(scale)}), along(beta)});
    return range->with(ctx, quantized::quantize(ctx, y, quantized::number(ctx, 1), ElementType::Int8));
}

OnnxValues embedding(NodeContext& ctx)
{
    const OnnxValue table = ctx.input(1);
    const OnnxValue places = indicesInto(ctx, table, 0, ctx.input(0), OutOfRange::Clip);
    return rangeOfInputs(ctx, 2, 3).with(ctx, emit::gather(ctx, table, places, 0));
}

OnnxValues pooling(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    quantized::expectBytes(ctx, x);
    const Attributes attributes(ctx);
    const bool isMaximum = attributes.choice("pool_type", {"max", "avg"}, "max") == "max";
    Pooling asOneDnn; // the only quantized activation
    asOneDnn.countRounding = true;
    asOneDnn.least = ctx.element(x) == ElementType::Int8 ? -128 : 0;
    const OnnxValue pooled = poolByAttributes(ctx, emit::cast(ctx, x, ElementType::Float32), asOneDnn);
    const OnnxValue y = isMaximum ? emit::cast(ctx, pooled, ctx.element(x))
                                  : quantized::quantize(ctx, pooled, quantized::number(ctx, 1), ctx.element(x));
    return rangeOfInputs(ctx, 1, 2).with(ctx, y);
}

OnnxValues activation(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    quantized::expectBytes(ctx, x);
    if (Attributes(ctx).text("act_type", "relu") != "relu") {
        ctx.invalid("quantized_act accepts only relu", "act_type");
    }
    if (ctx.element(x) == ElementType::UInt8) { // a copy with type int8
        return rangeOfInputs(ctx, 1, 2).with(ctx, emit::cast(ctx, x, ElementType::Int8));
    }
    return rangeOfInputs(ctx, 1, 2).with(ctx, arithmetic::maximum(ctx, x, emit::scalarLike(ctx, x, 0)));
}

OnnxValues flatten(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    quantized::expectBytes(ctx, x);
    const OnnxValue y = ctx.rank(x) == 2 ? x : ctx.emit("Flatten", {x}, {{"axis", 1}});
    return rangeOfInputs(ctx, 1, 2).with(ctx, y);
}

} // namespace

std::span<const OpRow> quantizedLayerOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_quantized_act", activation, "Max"},
        {"_contrib_quantized_batch_norm", batchNorm, "Mul, Add, QuantizeLinear"},
        {"_contrib_quantized_conv", convolution, "ConvInteger"},
        {"_contrib_quantized_embedding", embedding, "Gather"},
        {"_contrib_quantized_flatten", flatten, "Flatten"},
        {"_contrib_quantized_fully_connected", fullyConnected, "MatMulInteger, Add"},
        {"_contrib_quantized_pooling", pooling, "Cast and a pooling, QuantizeLinear"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
