// Convolutions. Keras has kernels (spatial..., in, out), transposed ones (spatial..., out, in).

#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// The number of spatial axes, which the class names: Conv2D.
std::size_t spatialRankOfClass(const Layer& layer)
{
    const auto digit = layer.op().find_first_of("123");
    return digit == std::string::npos ? 2 : static_cast<std::size_t>(layer.op()[digit] - '0');
}

Ints fixedDims(const NodeContext& ctx, OnnxValue value, std::size_t count)
{
    Ints dims;
    for (std::size_t i = 0; i < count; ++i) {
        dims.push_back(ctx.fixedDim(value, static_cast<std::int64_t>(i)));
    }
    return dims;
}

/// The permutation that brings the last two axes to the front, in the order (last, the one before) or as they are.
Ints toFront(std::size_t rank, bool isSwapped)
{
    const auto last = static_cast<std::int64_t>(rank) - 1;
    Ints order = isSwapped ? Ints{last, last - 1} : Ints{last - 1, last};
    for (std::int64_t i = 0; i + 2 <= last; ++i) {
        order.push_back(i);
    }
    return order;
}

OnnxValue convolved(const Layer& layer, OnnxValue x, OnnxValue weight, OnnxValue bias, const Window& window,
                    std::int64_t groups, const WindowPadding& padding)
{
    const NodeContext& ctx = layer.ctx;
    if (ctx.element(x) == ElementType::Float64 && padding.isSame) {
        layer.refuse("a convolution of float64 requires fixed sizes", "padding", "fix the shapes of the inputs");
    }
    return forms::convolution(ctx,
                              {.window = window, .padding = padding, .weight = weight, .bias = bias, .groups = groups});
}

OnnxValue biasOf(const Layer& layer, const Dim& channels)
{
    return layer.hasWeight("bias") ? layer.weight("bias", {channels}) : OnnxValue{};
}

/// `body` on data with one batch axis: Keras takes several, which are joined and put back.
template <typename Body>
OnnxValue overBatches(const Layer& layer, OnnxValue x, std::size_t rank, Body body)
{
    const NodeContext& ctx = layer.ctx;
    const std::size_t own = ctx.rank(x);
    if (own == rank + 2) {
        return body(x);
    }
    if (own < rank + 2) {
        ctx.invalid(fmt::format("data of {} dimensions, but it needs {}", own, rank + 2));
    }
    const std::size_t extra = own - rank - 2;
    ShapeTerms joined;
    Ints batches;
    for (std::size_t i = 0; i <= extra; ++i) {
        batches.push_back(static_cast<std::int64_t>(i));
    }
    joined.push_back(termOf(ctx, x, batches));
    for (std::size_t i = extra + 1; i < own; ++i) {
        joined.push_back(termOf(ctx, x, {static_cast<std::int64_t>(i)}));
    }
    const OnnxValue y = body(reshapeTo(ctx, x, joined));
    ShapeTerms apart;
    for (const std::int64_t batch : batches) {
        apart.push_back(termOf(ctx, x, {batch}));
    }
    for (std::size_t i = 1; i < ctx.rank(y); ++i) {
        apart.push_back(termOf(ctx, y, {static_cast<std::int64_t>(i)}));
    }
    return reshapeTo(ctx, y, apart);
}

bool isOperation(const Layer& layer)
{
    return layer.op().starts_with("ops.");
}

/// What an operation of Keras 3 is called with in place of weights.
OnnxValue kernelOf(const Layer& layer, const char* weight, Arguments::Names argument)
{
    return isOperation(layer) ? Arguments(layer).tensor(argument) : layer.weight(weight);
}

OnnxValues convolution(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue kernel = kernelOf(layer, "kernel", {"1", "kernel"});
    const std::size_t rank =
        isOperation(layer) && ctx.rank(kernel) > 2 ? ctx.rank(kernel) - 2 : spatialRankOfClass(layer);
    if (rank == 1 && ctx.rank(kernel) == 4) { // Keras 1 stores it as one of images
        kernel = emit::squeeze(ctx, kernel, {1});
    }
    layer.requireShape("kernel", kernel, kernelShape(layer, rank, Dim(), layer.settings.size("filters")));
    const Window window = windowOf(layer, fixedDims(ctx, kernel, rank));
    const std::int64_t filters = ctx.fixedDim(kernel, -1);
    const std::int64_t perGroup = ctx.fixedDim(kernel, -2);
    if (perGroup < 1) {
        throw ModelError("wrong-weight", "weight kernel is for no channels");
    }
    std::int64_t groups = layer.settings.integer("groups", 1);
    if (isOperation(layer)) { // the groups follow from the sizes
        groups = std::max<std::int64_t>(ctx.fixedDim(layer.input(0), hasChannelsLast(layer) ? -1 : 1) / perGroup, 1);
    }
    if (groups < 1 || groups > filters) {
        ctx.invalid(fmt::format("groups is {} for {} filters", groups, filters), "groups");
    }
    const OnnxValue weight = emit::transpose(ctx, kernel, toFront(rank + 2, true));
    const OnnxValue y = overBatches(layer, layer.input(0), rank, [&](OnnxValue given) {
        const OnnxValue x = channelsFirst(layer, given);
        const Dim& channels = ctx.shape(x)[1];
        if (channels.isFixed() && channels.size != perGroup * groups) {
            throw ModelError("wrong-weight", fmt::format("weight kernel is for {} channels, but the data have {}",
                                                         perGroup * groups, channels.size));
        }
        return inLayout(layer, convolved(layer, x, weight, biasOf(layer, Dim(filters)), window, groups,
                                         paddingOf(layer, x, window, 0)));
    });
    return {activated(layer, y)};
}

/// The kernel (spatial..., in, multiplier) of a convolution of each channel alone, as (in multiplier, 1, spatial...).
OnnxValue depthwiseWeight(const NodeContext& ctx, OnnxValue kernel)
{
    const std::size_t rank = ctx.rank(kernel) - 2;
    Ints dims{ctx.fixedDim(kernel, -2) * ctx.fixedDim(kernel, -1), 1};
    const Ints spatial = fixedDims(ctx, kernel, rank);
    dims.insert(dims.end(), spatial.begin(), spatial.end());
    return emit::reshape(ctx, emit::transpose(ctx, kernel, toFront(rank + 2, false)), dims);
}

struct Depthwise {
    OnnxValue y; ///< channels first
    std::int64_t channels;
};

Depthwise depthwise(const Layer& layer, OnnxValue kernel, OnnxValue bias)
{
    const NodeContext& ctx = layer.ctx;
    if (ctx.rank(layer.input(0)) < 3) {
        ctx.invalid(fmt::format("data of {} dimensions", ctx.rank(layer.input(0))));
    }
    const OnnxValue x = channelsFirst(layer, layer.input(0));
    const std::size_t rank = ctx.rank(x) - 2;
    layer.requireShape("depthwise_kernel", kernel,
                       kernelShape(layer, rank, ctx.shape(x)[1], layer.settings.size("depth_multiplier")));
    const Window window = windowOf(layer, fixedDims(ctx, kernel, rank));
    const std::int64_t channels = ctx.fixedDim(kernel, -2);
    const OnnxValue y =
        convolved(layer, x, depthwiseWeight(ctx, kernel), bias, window, channels, paddingOf(layer, x, window, 0));
    return {y, channels * ctx.fixedDim(kernel, -1)};
}

OnnxValues depthwiseConvolution(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue kernel = kernelOf(layer, "depthwise_kernel", {"1", "kernel", "depthwise_kernel"});
    const Dim filters(ctx.fixedDim(kernel, -2) * ctx.fixedDim(kernel, -1));
    return {activated(layer, inLayout(layer, depthwise(layer, kernel, biasOf(layer, filters)).y))};
}

OnnxValues separableConvolution(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue kernel = kernelOf(layer, "depthwise_kernel", {"1", "kernel", "depthwise_kernel"});
    const OnnxValue pointwise = kernelOf(layer, "pointwise_kernel", {"2", "pointwise_kernel"});
    const Depthwise first = depthwise(layer, kernel, {});
    const std::size_t rank = ctx.rank(first.y) - 2;
    Shape expected(rank, Dim(1));
    expected.push_back(Dim(first.channels));
    expected.push_back(layer.settings.size("filters"));
    layer.requireShape("pointwise_kernel", pointwise, expected);
    const Window window{.kernel = Ints(rank, 1), .stride = Ints(rank, 1), .dilate = Ints(rank, 1)};
    const OnnxValue weight = emit::transpose(ctx, pointwise, toFront(rank + 2, true));
    const OnnxValue y = convolved(layer, first.y, weight, biasOf(layer, Dim(ctx.fixedDim(pointwise, -1))), window, 1,
                                  validPadding(first.y, window));
    return {activated(layer, inLayout(layer, y))};
}

/// The crop of the whole result along one axis; `reach` is the size of the dilated kernel.
struct Crop {
    std::int64_t begin;
    std::int64_t end; ///< negative: elements without a product are appended
};

Crop cropOf(std::int64_t reach, std::int64_t stride, bool isSame, std::optional<std::int64_t> outputPadding)
{
    if (outputPadding) { // output = (n - 1) stride + reach - 2 pad + outputPadding
        const std::int64_t total = 2 * (isSame ? reach / 2 : 0) - *outputPadding;
        const std::int64_t begin = isSame ? std::max<std::int64_t>(total, 0) / 2 : 0;
        return {begin, total - begin};
    }
    if (!isSame) { // output = n stride + max(reach - stride, 0)
        return {0, reach - stride - std::max<std::int64_t>(reach - stride, 0)};
    }
    const std::int64_t total = reach - stride; // output = n stride
    const std::int64_t begin = std::max<std::int64_t>(total, 0) / 2;
    return {begin, total - begin};
}

OnnxValues transposedConvolution(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue kernel = kernelOf(layer, "kernel", {"1", "kernel"});
    const std::size_t rank =
        isOperation(layer) && ctx.rank(kernel) > 2 ? ctx.rank(kernel) - 2 : spatialRankOfClass(layer);
    if (layer.major() == 1 && ctx.rank(kernel) == rank + 2) { // as a convolution has it: (spatial..., in, out)
        kernel = emit::swapAxes(ctx, kernel, static_cast<std::int64_t>(rank), static_cast<std::int64_t>(rank) + 1);
    }
    layer.requireShape("kernel", kernel, kernelShape(layer, rank, layer.settings.size("filters"), Dim()));
    const Window window = windowOf(layer, fixedDims(ctx, kernel, rank));
    const std::string padding = layer.settings.text("padding", "valid");
    if (padding != "valid" && padding != "same") {
        layer.refuse(fmt::format("padding {} is not valid for a transposed convolution", padding), "padding");
    }
    const auto extra =
        layer.settings.has("output_padding") ? std::optional(layer.settings.ints("output_padding")) : std::nullopt;
    if (extra && extra->size() != 1 && extra->size() != rank) {
        ctx.invalid(fmt::format("output_padding has {} numbers", extra->size()), "output_padding");
    }
    TransposedEnds ends;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto outputPadding =
            extra ? std::optional(extra->size() == 1 ? extra->front() : (*extra)[i]) : std::nullopt;
        const Crop crop = cropOf(window.reach(i), window.stride[i], padding == "same", outputPadding);
        ends.begin.push_back(crop.begin);
        ends.end.push_back(crop.end);
    }
    const std::int64_t groups = layer.settings.integer("groups", 1);
    if (groups != 1) {
        layer.refuse("a transposed convolution in groups", "groups");
    }
    const std::int64_t filters = ctx.fixedDim(kernel, -2);
    const OnnxValue weight = emit::transpose(ctx, kernel, toFront(rank + 2, true));
    const OnnxValue y = forms::transposedConvolution(ctx, channelsFirst(layer, layer.input(0)), weight,
                                                     biasOf(layer, Dim(filters)), window, 1, ends);
    return {activated(layer, inLayout(layer, y))};
}
} // namespace

std::span<const OpRow> convolutionLayers()
{
    static constexpr OpRow rows[] = {
        {"Conv1D", convolution, "Transpose, Conv"},
        {"Conv1DTranspose", transposedConvolution, "Transpose, ConvTranspose"},
        {"Conv2D", convolution, "Transpose, Conv"},
        {"Conv2DTranspose", transposedConvolution, "Transpose, ConvTranspose"},
        {"Conv3D", convolution, "Transpose, Conv"},
        {"Conv3DTranspose", transposedConvolution, "Transpose, ConvTranspose"},
        {"DepthwiseConv1D", depthwiseConvolution, "Transpose, Conv"},
        {"DepthwiseConv2D", depthwiseConvolution, "Transpose, Conv"},
        {"SeparableConv1D", separableConvolution, "Transpose, Conv"},
        {"SeparableConv2D", separableConvolution, "Transpose, Conv"},
        {"ops.Conv", convolution, "Transpose, Conv"},
        {"ops.ConvTranspose", transposedConvolution, "Transpose, ConvTranspose"},
        {"ops.DepthwiseConv", depthwiseConvolution, "Transpose, Conv"},
        {"ops.SeparableConv", separableConvolution, "Transpose, Conv"},
    };
    return rows;
}

} // namespace crosswalk::keras
