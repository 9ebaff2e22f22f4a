#include "core/convert/forms/nn/transposed_convolution.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/nn/double_convolution.h"
#include "core/convert/forms/tensor/sizes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace crosswalk::forms {
namespace {

/// x with stride - 1 zeros behind every element, the last one's included.
OnnxValue spread(const NodeContext& ctx, OnnxValue x, const Ints& stride)
{
    const std::size_t rank = stride.size();
    Ints fresh;
    Ints pads(2 * (2 + 2 * rank), 0);
    OnnxValues dims{emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1)};
    for (std::size_t i = 0; i < rank; ++i) {
        fresh.push_back(static_cast<std::int64_t>(3 + 2 * i));
        pads[2 + 2 * rank + 3 + 2 * i] = stride[i] - 1;
        dims.push_back(sizes::times(ctx, emit::dimVector(ctx, x, static_cast<std::int64_t>(i) + 2), stride[i]));
    }
    const OnnxValue wide = ctx.emit("Pad", {emit::unsqueeze(ctx, x, fresh), ctx.onnx.ints(pads)});
    return emit::reshape(ctx, wide, emit::concat(ctx, dims, 0));
}

/// The weight of the plain convolution that a transposed one is: mirrored, input and output exchanged in each group.
OnnxValue mirrored(const NodeContext& ctx, OnnxValue weight, std::int64_t groups)
{
    const std::size_t spatial = ctx.rank(weight) - 2;
    Ints axes(spatial);
    std::iota(axes.begin(), axes.end(), 2);
    const OnnxValue flipped =
        emit::slice(ctx, weight, Ints(spatial, -1), Ints(spatial, std::numeric_limits<std::int64_t>::min() + 1), axes,
                    Ints(spatial, -1));
    const auto inputs = ctx.fixedDim(weight, 0) / groups;
    const auto outputs = ctx.fixedDim(weight, 1);
    Ints grouped{groups, inputs, outputs};
    Ints joined{groups * outputs, inputs};
    Ints permutation{0, 2, 1};
    for (std::size_t i = 0; i < spatial; ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        grouped.push_back(ctx.fixedDim(weight, axis + 2));
        joined.push_back(grouped.back());
        permutation.push_back(axis + 3);
    }
    return emit::reshape(ctx, emit::transpose(ctx, emit::reshape(ctx, flipped, grouped), permutation), joined);
}

OnnxValue inDouble(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias, const Window& window,
                   std::int64_t groups, const TransposedEnds& ends)
{
    Window plain = window;
    plain.stride = Ints(window.rank(), 1);
    Ints begin;
    Ints end;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        begin.push_back(window.reach(i) - 1 - ends.begin[i]);
        end.push_back(window.reach(i) - 1 - ends.end[i] - (window.stride[i] - 1));
    }
    return doubleConvolution(ctx, spread(ctx, x, window.stride), mirrored(ctx, weight, groups), bias, plain, groups,
                             begin, end);
}

OnnxAttributes transposedAttributes(const Window& window, std::int64_t groups)
{
    return {
        {"kernel_shape", window.kernel}, {"strides", window.stride}, {"dilations", window.dilate}, {"group", groups}};
}

} // namespace

OnnxValue transposedConvolution(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias,
                                const Window& window, std::int64_t groups, const TransposedEnds& ends)
{
    if (ctx.element(x) == ElementType::Float64) {
        return inDouble(ctx, x, weight, bias, window, groups, ends);
    }
    OnnxAttributes attributes = transposedAttributes(window, groups);
    // To cut less than nothing is ONNX's output_padding.
    Ints cut;
    Ints padding;
    for (const std::int64_t end : ends.end) {
        cut.push_back(std::max<std::int64_t>(end, 0));
        padding.push_back(std::max<std::int64_t>(-end, 0));
    }
    attributes.emplace_back("pads", onnxPads(ends.begin, cut));
    if (std::ranges::any_of(padding, [](std::int64_t size) { return size > 0; })) {
        attributes.emplace_back("output_padding", padding);
    }
    return ctx.emit("ConvTranspose", {x, weight, bias}, attributes);
}

OnnxValue transposedConvolutionTo(const NodeContext& ctx, OnnxValue x, OnnxValue weight, const Window& window,
                                  OnnxValue sizes, bool isCentered)
{
    Ints longest;
    Ints axes;
    TransposedEnds ends;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        longest.push_back(window.stride[i] - 1);
        axes.push_back(static_cast<std::int64_t>(i) + 2);
        ends.begin.push_back(0);
        ends.end.push_back(-longest.back());
    }
    const OnnxValue whole = transposedConvolution(ctx, x, weight, {}, window, 1, ends);
    OnnxValue begin = ctx.onnx.ints(Ints(window.rank(), 0));
    if (isCentered) {
        const auto rank = static_cast<std::int64_t>(window.rank());
        const OnnxValue reached =
            ctx.emit("Sub", {emit::slice(ctx, emit::shapeVector(ctx, whole), Ints{2}, Ints{rank + 2}, Ints{0}),
                             ctx.onnx.ints(longest)});
        const OnnxValue surplus = arithmetic::maximum(ctx, ctx.emit("Sub", {reached, sizes}), ctx.onnx.ints({0}));
        begin = ctx.emit("Div", {surplus, ctx.onnx.ints({2})});
    }
    return emit::slice(ctx, whole, begin, ctx.emit("Add", {begin, sizes}), ctx.onnx.ints(axes));
}

} // namespace crosswalk::forms
