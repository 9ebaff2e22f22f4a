// Conv2DBackpropInput and Conv3DBackpropInputV2: transposed convolutions. An operand selects their output size among
// the possible input sizes of the convolution.

#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

struct Layer {
    OnnxValue x;      ///< channels first
    OnnxValue weight; ///< (in, out, spatial...)
    Window window;
    bool channelsLast = true;
};

/// Spatial sizes are known: computes the crop by the padding, and the missing elements at the end.
OnnxValue ofFixedSize(const NodeContext& ctx, const Layer& layer, const Ints& sizes, bool isSame)
{
    const Window& window = layer.window;
    TransposedEnds ends;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const std::int64_t size = ctx.fixedDim(layer.x, static_cast<std::int64_t>(i) + 2);
        const std::int64_t whole = window.stride[i] * (size - 1) + window.reach(i);
        const std::int64_t begin = isSame ? std::max<std::int64_t>(whole - sizes[i], 0) / 2 : 0;
        ends.begin.push_back(begin);
        ends.end.push_back(whole - sizes[i] - begin);
        if (ends.end.back() <= -window.stride[i]) {
            ctx.invalid(fmt::format("an output of {} does not fit an input of {}", sizes[i], size));
        }
    }
    return transposedConvolution(ctx, layer.x, layer.weight, {}, window, 1, ends);
}

Layer layerOf(const NodeContext& ctx, const Settings& settings)
{
    const OnnxValue filter = ctx.input(1);
    const OnnxValue gradient = ctx.input(2);
    const std::size_t rank = ctx.rank(filter);
    Layer layer;
    layer.channelsLast = hasChannelsLast(ctx, settings, ctx.rank(gradient));
    if (rank != ctx.rank(gradient)) {
        ctx.invalid(fmt::format("a filter of {} dimensions does not match data of {}", rank, ctx.rank(gradient)));
    }
    const auto last = static_cast<std::int64_t>(rank) - 1;
    Ints inFirst{last, last - 1};
    for (std::int64_t i = 0; i + 2 <= last; ++i) {
        inFirst.push_back(i);
        layer.window.kernel.push_back(ctx.fixedDim(filter, i));
    }
    layer.window.stride = spatialOf(ctx, settings.ints("strides"), layer.channelsLast, "strides");
    layer.window.dilate = spatialOf(ctx, settings.ints("dilations"), layer.channelsLast, "dilations");
    layer.weight = emit::transpose(ctx, filter, inFirst);
    layer.x = layer.channelsLast ? toChannelsFirst(ctx, gradient) : gradient;
    return layer;
}

OnnxValues backpropInput(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Layer layer = layerOf(ctx, settings);
    const std::string padding = settings.text("padding");
    if (padding != "SAME" && padding != "VALID") {
        ctx.refuse(fmt::format("padding {} is not valid for a transposed convolution", padding), "padding");
    }
    const auto rank = static_cast<std::int64_t>(layer.window.rank());
    OnnxValue sizes = intVector(ctx, ctx.input(0));
    // The operand contains the whole shape or only the spatial dimensions.
    if (ctx.fixedDim(sizes, 0) != rank) {
        const std::int64_t first = layer.channelsLast ? 1 : 2;
        sizes = emit::slice(ctx, sizes, Ints{first}, Ints{first + rank}, Ints{0});
    }
    const auto known = knownInts(ctx, sizes);
    const Shape& shape = ctx.shape(layer.x);
    const bool isFixed = std::all_of(shape.iteratorAt(2), shape.end(), [](const Dim& dim) { return dim.isFixed(); });
    const OnnxValue y =
        known && isFixed ? ofFixedSize(ctx, layer, *known, padding == "SAME")
                         : transposedConvolutionTo(ctx, layer.x, layer.weight, layer.window, sizes, padding == "SAME");
    return {layer.channelsLast ? toChannelsLast(ctx, y) : y};
}

} // namespace

std::span<const OpRow> backpropConvolutionOps()
{
    static constexpr OpRow rows[] = {
        {"Conv2DBackpropInput", backpropInput, "Transpose, ConvTranspose"},
        {"Conv3DBackpropInputV2", backpropInput, "Transpose, ConvTranspose"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
