// Conv2D, Conv3D, DepthwiseConv2dNative and BiasAdd. TensorFlow has filters (height, width, in, out), ONNX (out, in,
// height, width).

#include "core/convert/forms/nn/convolution.h"
#include "core/formats/tensorflow/ops/nn/layers.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace crosswalk::tensorflow {
namespace {

Window windowOf(const NodeContext& ctx, const Settings& settings, OnnxValue filter, bool channelsLast)
{
    Window window;
    for (std::size_t i = 0; i + 2 < ctx.rank(filter); ++i) {
        window.kernel.push_back(ctx.fixedDim(filter, static_cast<std::int64_t>(i)));
    }
    Ints dilations = settings.ints("dilations");
    if (dilations.empty()) {
        dilations.assign(ctx.rank(filter), 1);
    }
    window.stride = spatialOf(ctx, settings.ints("strides"), channelsLast, "strides");
    window.dilate = spatialOf(ctx, dilations, channelsLast, "dilations");
    if (window.stride.size() != window.rank() || window.dilate.size() != window.rank()) {
        ctx.invalid(fmt::format("strides and dilations do not fit a filter of {} dimensions", window.rank() + 2));
    }
    return window;
}

OnnxValue convolved(const NodeContext& ctx, const Settings& settings, OnnxValue given, OnnxValue weight,
                    std::int64_t groups, bool channelsLast, const Window& window)
{
    const OnnxValue x = channelsLast ? toChannelsFirst(ctx, given) : given;
    const WindowPadding padding = paddingOf(ctx, settings, x, window, channelsLast, 0);
    const ElementType type = ctx.element(x);
    if (!isFloating(type) || (type == ElementType::Float64 && padding.isSame)) {
        ctx.refuse(fmt::format("a convolution of {} requires fixed sizes", elementTypeName(type)), "T",
                   "fix the shapes of the inputs");
    }
    const OnnxValue y =
        forms::convolution(ctx, {.window = window, .padding = padding, .weight = weight, .groups = groups});
    return channelsLast ? toChannelsLast(ctx, y) : y;
}

bool hasOpenSize(const NodeContext& ctx, OnnxValue filter)
{
    const Shape& shape = ctx.shape(filter);
    return std::any_of(shape.begin(), shape.iteratorAt(shape.size() - 2),
                       [](const Dim& dim) { return !dim.isFixed(); });
}

/// A filter (out, in, ...) of open size, which ONNX's operator reads at run time. ONNX Runtime pads for it as
/// TensorFlow does only with strides and dilations of 1.
OnnxValue convolvedByOpenFilter(const NodeContext& ctx, const Settings& settings, OnnxValue x, OnnxValue filter,
                                std::optional<std::int64_t> groups, bool channelsLast)
{
    const Ints strides = spatialOf(ctx, settings.ints("strides"), channelsLast, "strides");
    const Ints given = settings.ints("dilations");
    const Ints dilations = given.empty() ? Ints(strides.size(), 1) : spatialOf(ctx, given, channelsLast, "dilations");
    const bool isSame = settings.text("padding") == "SAME";
    const auto isOne = [](auto step) { return step == 1; };
    const bool isPlain = std::ranges::all_of(strides, isOne) && std::ranges::all_of(dilations, isOne);
    if (settings.text("padding") == "EXPLICIT" || (isSame && !isPlain) || ctx.element(x) != ElementType::Float32) {
        ctx.refuse("a convolution with a filter of open size", {}, "fix the shapes of the inputs");
    }
    if (!groups) {
        ctx.note("assumed-shape",
                 "the sizes of the filter are open: the exported model fails if it is for groups of channels");
    }
    const OnnxAttributes attributes{{"strides", strides},
                                    {"dilations", dilations},
                                    {"auto_pad", isSame ? "SAME_UPPER" : "VALID"},
                                    {"group", groups.value_or(1)}};
    const OnnxValue y = ctx.emit("Conv", {channelsLast ? toChannelsFirst(ctx, x) : x, filter}, attributes);
    ctx.onnx.refine(y, Shape(ctx.rank(x)));
    return channelsLast ? toChannelsLast(ctx, y) : y;
}

} // namespace

OnnxValue convolutionOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, OnnxValue filter)
{
    const std::size_t rank = ctx.rank(filter);
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(x));
    if (rank != ctx.rank(x)) {
        ctx.invalid(fmt::format("a filter of {} dimensions does not match data of {}", rank, ctx.rank(x)));
    }
    const auto last = static_cast<std::int64_t>(rank) - 1;
    Ints outFirst{last, last - 1};
    for (std::int64_t i = 0; i + 2 <= last; ++i) {
        outFirst.push_back(i);
    }
    const Dim& channels = ctx.shape(x)[channelsLast ? rank - 1 : 1];
    const Dim& perGroup = ctx.shape(filter)[rank - 2];
    std::optional<std::int64_t> groups;
    if (channels.isFixed() && perGroup.isFixed()) {
        if (perGroup.size == 0 || channels.size % perGroup.size != 0) {
            ctx.invalid(
                fmt::format("a filter for {} channels does not match data with {}", perGroup.size, channels.size));
        }
        groups = channels.size / perGroup.size;
    }
    if (hasOpenSize(ctx, filter)) {
        return convolvedByOpenFilter(ctx, settings, x, emit::transpose(ctx, filter, outFirst), groups, channelsLast);
    }
    if (!groups) {
        ctx.note("assumed-shape",
                 "the number of channels is open: the exported model fails if the filter is for groups of channels");
    }
    const Window window = windowOf(ctx, settings, filter, channelsLast);
    return convolved(ctx, settings, x, emit::transpose(ctx, filter, outFirst), groups.value_or(1), channelsLast,
                     window);
}

/// Each channel separately: (sizes, channels, multiplier) becomes (channels multiplier, 1, sizes).
OnnxValue depthwiseConvolutionOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, OnnxValue filter)
{
    if (ctx.rank(filter) != ctx.rank(x) || ctx.rank(filter) < 3) {
        ctx.invalid(fmt::format("a filter of {} dimensions", ctx.rank(filter)));
    }
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(x));
    const Window window = windowOf(ctx, settings, filter, channelsLast);
    const auto spatial = static_cast<std::int64_t>(window.rank());
    const std::int64_t channels = ctx.fixedDim(filter, spatial);
    const std::int64_t filters = channels * ctx.fixedDim(filter, spatial + 1);
    Ints order{spatial, spatial + 1};
    Ints dims{filters, 1};
    for (std::int64_t i = 0; i < spatial; ++i) {
        order.push_back(i);
        dims.push_back(window.kernel[static_cast<std::size_t>(i)]);
    }
    const OnnxValue weight = emit::reshape(ctx, emit::transpose(ctx, filter, order), dims);
    return convolved(ctx, settings, x, weight, channels, channelsLast, window);
}

OnnxValue withBias(const NodeContext& ctx, OnnxValue x, OnnxValue bias, bool channelsFirst)
{
    if (channelsFirst && ctx.rank(x) > 2) {
        Ints behind(ctx.rank(x) - 2);
        std::iota(behind.begin(), behind.end(), 1);
        bias = emit::unsqueeze(ctx, bias, behind);
    }
    return arithmetic::add(ctx, x, bias);
}

namespace {

OnnxValues convolution(NodeContext& ctx)
{
    return {convolutionOf(ctx, Settings(ctx), ctx.input(0), ctx.input(1))};
}

OnnxValues depthwiseConvolution(NodeContext& ctx)
{
    return {depthwiseConvolutionOf(ctx, Settings(ctx), ctx.input(0), ctx.input(1))};
}

/// The bias applies to the last axis, or to axis 1 with data_format NCHW.
OnnxValues biasAdd(NodeContext& ctx)
{
    const bool isFirst = ctx.node.op == "BiasAdd" && Settings(ctx).text("data_format") == "NCHW";
    return {withBias(ctx, ctx.input(0), ctx.input(1), isFirst)};
}

} // namespace

std::span<const OpRow> convolutionOps()
{
    static constexpr OpRow rows[] = {
        {"BiasAdd", biasAdd, "Add"},
        {"BiasAddV1", biasAdd, "Add"},
        {"Conv2D", convolution, "Transpose, Conv"},
        {"Conv3D", convolution, "Transpose, Conv"},
        {"DepthwiseConv2dNative", depthwiseConvolution, "Transpose, Conv"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
