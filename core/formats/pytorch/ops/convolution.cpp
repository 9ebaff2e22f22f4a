// Convolutions, and padding.

#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

struct Layer {
    OnnxValue x;
    OnnxValue weight;
    OnnxValue bias;
    forms::Window window;
    Ints padding;
    std::int64_t groups = 1;
    std::size_t rank = 0; ///< of x with a batch axis
};

Layer layerOf(const NodeContext& ctx, const Arguments& arguments)
{
    Layer layer{.x = arguments.tensor("input"),
                .weight = arguments.tensor("weight"),
                .bias = arguments.optional("bias"),
                .window = {},
                .padding = {},
                .groups = arguments.integer("groups", 1)};
    layer.rank = ctx.rank(layer.weight);
    const std::size_t count = layer.rank - 2;
    for (std::size_t i = 0; i < count; ++i) {
        layer.window.kernel.push_back(ctx.fixedDim(layer.weight, static_cast<std::int64_t>(i) + 2));
    }
    layer.window.stride = positivePerDimension(ctx, arguments, "stride", count, 1);
    layer.window.dilate = positivePerDimension(ctx, arguments, "dilation", count, 1);
    return layer;
}

/// total = dilation (kernel - 1), of which the odd element is at the end.
void padSame(const Layer& layer, Ints& begin, Ints& end)
{
    for (std::size_t i = 0; i < layer.window.rank(); ++i) {
        const std::int64_t total = layer.window.reach(i) - 1;
        begin.push_back(total / 2);
        end.push_back(total - total / 2);
    }
}

OnnxValue forward(const NodeContext& ctx, const Arguments& arguments, const Layer& layer)
{
    const std::size_t count = layer.window.rank();
    Ints begin;
    Ints end;
    const std::string padding = arguments.text("padding");
    if (padding == "same") {
        padSame(layer, begin, end);
    } else {
        begin = padding == "valid" ? Ints(count, 0) : perDimension(ctx, arguments, "padding", count, 0);
        end = begin;
    }
    const OnnxValue y =
        forms::convolution(ctx, {.window = layer.window,
                                 .padding = {.x = batched(ctx, layer.x, layer.rank), .begin = begin, .end = end},
                                 .weight = layer.weight,
                                 .bias = layer.bias,
                                 .groups = layer.groups});
    return unbatched(ctx, y, layer.x, layer.rank);
}

OnnxValue transposed(const NodeContext& ctx, const Arguments& arguments, const Layer& layer)
{
    const std::size_t count = layer.window.rank();
    const Ints padding = perDimension(ctx, arguments, "padding", count, 0);
    const Ints extra = perDimension(ctx, arguments, "output_padding", count, 0);
    forms::TransposedEnds ends{padding, padding};
    for (std::size_t i = 0; i < count; ++i) {
        ends.end[i] -= extra[i];
    }
    const OnnxValue y = forms::transposedConvolution(ctx, batched(ctx, layer.x, layer.rank), layer.weight, layer.bias,
                                                     layer.window, layer.groups, ends);
    return unbatched(ctx, y, layer.x, layer.rank);
}

OnnxValues convolution(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Layer layer = layerOf(ctx, arguments);
    return {arguments.truth("transposed") ? transposed(ctx, arguments, layer) : forward(ctx, arguments, layer)};
}

OnnxValues transposedConvolution(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {transposed(ctx, arguments, layerOf(ctx, arguments))};
}

/// The list of pads counts from the last axis backwards; negative pads crop.
OnnxValue padded(const NodeContext& ctx, OnnxValue x, const Ints& pads, const std::string& mode, double value)
{
    const std::size_t rank = ctx.rank(x);
    Ints all(2 * rank, 0);
    if (pads.size() % 2 != 0 || pads.size() > all.size()) {
        ctx.invalid("pads should have two numbers for each axis", "pad");
    }
    for (std::size_t i = 0; i < pads.size() / 2; ++i) {
        all[rank - 1 - i] = pads[2 * i];
        all[2 * rank - 1 - i] = pads[2 * i + 1];
    }
    const bool crops = std::any_of(all.begin(), all.end(), [](std::int64_t pad) { return pad < 0; });
    if (crops && mode != "constant") {
        ctx.refuse("negative pads are supported for constants only", "mode");
    }
    const OnnxValue given = ctx.onnx.ints(all);
    if (mode == "constant") {
        return ctx.emit("Pad", {x, given, emit::scalarLike(ctx, x, value)});
    }
    if (mode == "circular" && ctx.onnx.opset() < 19) {
        ctx.refuse("circular padding requires opset 19", "mode", "take --opset 19 or later");
    }
    const std::string onnxMode = mode == "reflect" ? "reflect" : mode == "replicate" ? "edge" : "wrap";
    return ctx.emit("Pad", {x, given}, {{"mode", onnxMode}});
}

OnnxValues pad(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Ints pads = arguments.integers("pad").value_or(Ints());
    return {
        padded(ctx, arguments.tensor("self"), pads, arguments.text("mode", "constant"), arguments.number("value", 0))};
}

template <const char* mode>
OnnxValues padWith(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {padded(ctx, arguments.tensor("self"), arguments.integers("padding").value_or(Ints()), mode, 0)};
}

constexpr char reflectName[] = "reflect";
constexpr char replicateName[] = "replicate";

constexpr OpRow rows[] = {
    {"aten::conv1d", convolution, "Conv"},
    {"aten::conv2d", convolution, "Conv"},
    {"aten::conv3d", convolution, "Conv"},
    {"aten::convolution", convolution, "Conv; ConvTranspose"},
    {"aten::_convolution", convolution, "Conv; ConvTranspose"},
    {"aten::conv_transpose1d", transposedConvolution, "ConvTranspose"},
    {"aten::conv_transpose2d", transposedConvolution, "ConvTranspose"},
    {"aten::conv_transpose3d", transposedConvolution, "ConvTranspose"},
    {"aten::pad", pad, "Pad"},
    {"aten::constant_pad_nd", pad, "Pad"},
    {"aten::reflection_pad1d", padWith<reflectName>, "Pad"},
    {"aten::reflection_pad2d", padWith<reflectName>, "Pad"},
    {"aten::reflection_pad3d", padWith<reflectName>, "Pad"},
    {"aten::replication_pad1d", padWith<replicateName>, "Pad"},
    {"aten::replication_pad2d", padWith<replicateName>, "Pad"},
    {"aten::replication_pad3d", padWith<replicateName>, "Pad"},
};

} // namespace

std::span<const OpRow> convolutionOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
