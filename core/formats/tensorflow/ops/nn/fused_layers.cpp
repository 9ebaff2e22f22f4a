// Operators that grappler and the graph transform tool put in place of several others: a convolution or a product with
// its bias, normalisation and activation, a normalisation with a sum, and a convolution of a padded image.

#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/nn/normalization.h"
#include "core/formats/tensorflow/ops/nn/layers.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/graph/attributes.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// An activation by the name of its operator; nothing for another name.
std::optional<OnnxValue> activated(const NodeContext& ctx, const Settings& settings, std::string_view name, OnnxValue x)
{
    if (name == "Relu") {
        return reluOf(ctx, x);
    }
    if (name == "Relu6") {
        return relu6Of(ctx, x);
    }
    if (name == "Elu") {
        return eluOf(ctx, x);
    }
    if (name == "LeakyRelu") {
        return leakyReluOf(ctx, x, settings.number("leakyrelu_alpha"));
    }
    if (name == "Tanh") {
        return elementary::tanh(ctx, x);
    }
    if (name == "Sigmoid") {
        return elementary::sigmoid(ctx, x);
    }
    if (name == "GeluExact" || name == "GeluApproximate") {
        return gelu(ctx, x, name == "GeluApproximate");
    }
    return std::nullopt;
}

/// A normalisation of x by stored statistics, in their type: gamma, beta, mean and variance.
OnnxValue normalized(const NodeContext& ctx, OnnxValue x, const BatchStatistics& by, double epsilon, bool channelsLast)
{
    const ElementType own = ctx.element(x);
    const OnnxValue wide = emit::cast(ctx, channelsLast ? toChannelsFirst(ctx, x) : x, ctx.element(by.gamma));
    const OnnxValue y = emit::cast(ctx, batchNorm(ctx, wide, 1, by, epsilon), own);
    return channelsLast ? toChannelsLast(ctx, y) : y;
}

/// The steps in fused_ops on the result y of the first one; their operands are the inputs from 2 on.
OnnxValue withFusedSteps(const NodeContext& ctx, const Settings& settings, OnnxValue y, bool channelsLast)
{
    const auto* steps = attributeOf<std::vector<std::string>>(ctx.node, "fused_ops");
    std::size_t next = 2;
    for (const std::string& step : steps != nullptr ? *steps : std::vector<std::string>()) {
        if (step == "BiasAdd") {
            y = withBias(ctx, y, ctx.input(next), !channelsLast);
            next += 1;
        } else if (step == "Add") {
            y = arithmetic::add(ctx, y, ctx.input(next));
            next += 1;
        } else if (step == "FusedBatchNorm") {
            const BatchStatistics by{ctx.input(next), ctx.input(next + 1), ctx.input(next + 2), ctx.input(next + 3)};
            y = normalized(ctx, y, by, settings.number("epsilon"), channelsLast);
            next += 4;
        } else if (const auto result = activated(ctx, settings, step, y)) {
            y = *result;
        } else {
            ctx.refuse(fmt::format("{} contains {}, which has no translation here", ctx.node.op, step), "fused_ops");
        }
    }
    if (next != ctx.inputCount()) {
        ctx.refuse(fmt::format("fused_ops takes {} of {} operands", next - 2, ctx.inputCount() - 2), "fused_ops");
    }
    return y;
}

OnnxValues fusedConvolution(NodeContext& ctx)
{
    const Settings settings(ctx);
    if (settings.text("filter_format") != "HWIO") {
        ctx.refuse(fmt::format("only some devices support filter_format {}", settings.text("filter_format")),
                   "filter_format", "save the model for a CPU");
    }
    const OnnxValue x = ctx.input(0);
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(x));
    return {withFusedSteps(ctx, settings, convolutionOf(ctx, settings, x, ctx.input(1)), channelsLast)};
}

OnnxValues fusedDepthwiseConvolution(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(x));
    return {withFusedSteps(ctx, settings, depthwiseConvolutionOf(ctx, settings, x, ctx.input(1)), channelsLast)};
}

OnnxValues fusedMatMul(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue a = ctx.input(0);
    const OnnxValue y = matrixProduct(ctx, a, ctx.input(1), settings.boolean("transpose_a"),
                                      settings.boolean("transpose_b"), ctx.element(a));
    return {withFusedSteps(ctx, settings, y, true)};
}

/// The activation of a normalised x, or of its sum with another tensor.
OnnxValues fusedBatchNormEx(NodeContext& ctx)
{
    const Settings settings(ctx);
    if (settings.boolean("is_training")) {
        ctx.refuse("_FusedBatchNormEx normalises by the statistics of the batch", "is_training",
                   "save the model for inference");
    }
    const OnnxValue x = ctx.input(0);
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(x));
    const BatchStatistics by{ctx.input(1), ctx.input(2), ctx.input(3), ctx.input(4)};
    OnnxValue y = normalized(ctx, x, by, settings.number("epsilon"), channelsLast);
    if (settings.integer("num_side_inputs") > 0) {
        y = ctx.emit("Add", {y, ctx.input(5)});
    }
    if (const std::string mode = settings.text("activation_mode"); mode == "Relu") {
        y = reluOf(ctx, y);
    } else if (mode != "Identity") {
        ctx.invalid(fmt::format("activation_mode {} must be Identity or Relu", mode), "activation_mode");
    }
    return {y, by.mean, by.variance, by.mean, by.variance, by.variance};
}

/// The settings that the operator shares with Conv2D; the layout is NHWC, and dilations are 1.
OnnxValue convolvedImages(const NodeContext& ctx, OnnxValue padded, OnnxValue filter)
{
    if (ctx.shape(padded).empty() || ctx.shape(padded).front() != Dim(1)) {
        ctx.note("assumed-shape",
                 "TensorFlow's kernel is right for one image at a time: of several, it reads pixels of "
                 "the first one for the others, which the exported model does not");
    }
    return convolutionOf(ctx, Settings(ctx, "Conv2D"), padded, filter);
}

OnnxValues padAndConvolve(NodeContext& ctx)
{
    const OnnxValue padded = mirrorPadded(ctx, ctx.input(0), ctx.input(1), Settings(ctx).text("mode"));
    return {convolvedImages(ctx, padded, ctx.input(2))};
}

OnnxValues resizePadAndConvolve(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue images = ctx.input(0);
    if (ctx.element(images) != ElementType::Float32 || ctx.rank(images) != 4) {
        ctx.refuse(fmt::format("{} of {} and rank {}: it takes images of float32", ctx.node.op,
                               elementTypeName(ctx.element(images)), ctx.rank(images)),
                   "T");
    }
    const OnnxValue resized =
        bilinearResized(ctx, images, ctx.input(1),
                        settings.boolean("resize_align_corners") ? Coordinates::AlignCorners : Coordinates::Asymmetric);
    const OnnxValue padded = mirrorPadded(ctx, resized, ctx.input(2), settings.text("mode"));
    return {convolvedImages(ctx, padded, ctx.input(3))};
}

constexpr std::string_view paddedForm = "Pad, or Slice and Concat; Transpose, Conv";

} // namespace

std::span<const OpRow> fusedLayerOps()
{
    static constexpr OpRow rows[] = {
        {"FusedPadConv2D", padAndConvolve, paddedForm},
        {"FusedResizeAndPadConv2D", resizePadAndConvolve, "Resize; Pad, or Slice and Concat; Transpose, Conv"},
        {"_FusedBatchNormEx", fusedBatchNormEx, "Transpose, BatchNormalization, Add, Relu"},
        {"_FusedConv2D", fusedConvolution, "Transpose, Conv, and the operators of fused_ops"},
        {"_FusedDepthwiseConv2dNative", fusedDepthwiseConvolution, "Transpose, Conv, and the operators of fused_ops"},
        {"_FusedMatMul", fusedMatMul, "MatMul, and the operators of fused_ops"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
