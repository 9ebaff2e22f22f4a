// Convolution, Deconvolution and FullyConnected: the layers with a kernel.

#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/nn/window_attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// The weight, with its channels moved to axis 1 if the layer's layout has them last.
OnnxValue kernelOf(const NodeContext& ctx, const LayerWindow& window, const Dim& rows, const Dim& columns)
{
    Shape expected{rows};
    if (!window.channelsLast) {
        expected.push_back(columns);
    }
    expected.insert(expected.end(), window.kernel.begin(), window.kernel.end());
    if (window.channelsLast) {
        expected.push_back(columns);
    }
    ctx.expectWeight(1, expected);
    ctx.onnx.refine(ctx.input(1), expected); // Conv's own inference does not compare the channels of a computed weight
    return window.channelsLast ? toChannelsFirst(ctx, ctx.input(1)) : ctx.input(1);
}

/// Channels of the data per group; open if the data's shape is open.
Dim channelsPerGroup(const NodeContext& ctx, const LayerWindow& window, std::int64_t groups)
{
    const auto& shape = ctx.onnx.shape(ctx.input(0));
    if (!shape) {
        return {};
    }
    if (shape->size() != window.rank() + 2) {
        ctx.invalid(fmt::format("the kernel has {} dimensions, but the data has {}", window.rank(), toString(*shape)),
                    "kernel");
    }
    const Dim& channels = (*shape)[window.channelsLast ? shape->size() - 1 : 1];
    if (channels.isFixed() && channels.size % groups != 0) {
        ctx.invalid(fmt::format("{} channels are not divisible by {} groups", channels.size, groups), "num_group");
    }
    return channels.isFixed() ? Dim(channels.size / groups) : Dim();
}

OnnxValue biasOf(const NodeContext& ctx, const Attributes& attributes, bool noBias, std::int64_t size)
{
    if (attributes.boolean("no_bias", noBias)) {
        return {};
    }
    ctx.expectWeight(2, {Dim(size)});
    return ctx.input(2);
}

std::int64_t positive(const NodeContext& ctx, std::string_view name, std::int64_t value)
{
    if (value < 1) {
        ctx.invalid(fmt::format("{} = {} is not positive", name, value), std::string(name));
    }
    return value;
}

OnnxValues convolution(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const std::int64_t groups = positive(ctx, "num_group", attributes.integer("num_group", 1));
    const std::int64_t filters = positive(ctx, "num_filter", attributes.integer("num_filter"));
    const OnnxValue weight = kernelOf(ctx, window, Dim(filters), channelsPerGroup(ctx, window, groups));
    const OnnxValue bias = biasOf(ctx, attributes, false, filters);
    const OnnxValue x = window.channelsLast ? toChannelsFirst(ctx, ctx.input(0)) : ctx.input(0);
    const OnnxValue y = forms::convolution(ctx, {.window = window,
                                                 .padding = {.x = x, .begin = window.pad, .end = window.pad},
                                                 .weight = weight,
                                                 .bias = bias,
                                                 .groups = groups});
    return {window.channelsLast ? toChannelsLast(ctx, y) : y};
}

/// If one of its numbers is not 0, target_shape replaces pad and adj.
Ints targetShape(const NodeContext& ctx, const Attributes& attributes, const LayerWindow& window)
{
    Ints target = attributes.ints("target_shape");
    if (std::all_of(target.begin(), target.end(), [](auto size) { return size == 0; })) {
        return {};
    }
    const bool whole =
        target.size() == window.rank() && std::all_of(target.begin(), target.end(), [](auto size) { return size > 0; });
    if (!whole) {
        ctx.invalid("target_shape must contain every spatial dimension", "target_shape");
    }
    return target;
}

Ints adjustments(const NodeContext& ctx, const Attributes& attributes, const LayerWindow& window)
{
    Ints adj = attributes.ints("adj", Ints(window.rank(), 0));
    if (adj.size() != window.rank()) {
        ctx.invalid(fmt::format("adj has {} numbers, but the kernel has {} dimensions", adj.size(), window.rank()),
                    "adj");
    }
    for (std::size_t i = 0; i < adj.size(); ++i) {
        if (adj[i] < 0 || adj[i] >= window.stride[i]) {
            ctx.invalid(fmt::format("adj = {} must be smaller than the stride {}", adj[i], window.stride[i]), "adj");
        }
    }
    return adj;
}

/// The number of elements cut at both ends to reach the target: evenly, the odd one at the beginning.
TransposedEnds endsFor(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& target)
{
    TransposedEnds ends;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const std::int64_t size = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2);
        const std::int64_t surplus = window.stride[i] * (size - 1) + window.reach(i) - target[i];
        if (surplus < 0) {
            ctx.invalid(fmt::format("target_shape = {} is larger than the range of the kernel", target[i]),
                        "target_shape");
        }
        ends.begin.push_back((surplus + 1) / 2);
        ends.end.push_back(surplus / 2);
    }
    return ends;
}

OnnxValues deconvolution(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const std::int64_t groups = positive(ctx, "num_group", attributes.integer("num_group", 1));
    const std::int64_t filters = positive(ctx, "num_filter", attributes.integer("num_filter"));
    if (filters % groups != 0) {
        ctx.invalid(fmt::format("num_filter = {} is not divisible by {} groups", filters, groups), "num_filter");
    }
    const Dim rows = channelsPerGroup(ctx, window, groups);
    const OnnxValue weight =
        kernelOf(ctx, window, rows.isFixed() ? Dim(rows.size * groups) : Dim(), Dim(filters / groups));
    const OnnxValue bias = biasOf(ctx, attributes, true, filters);
    const OnnxValue x = window.channelsLast ? toChannelsFirst(ctx, ctx.input(0)) : ctx.input(0);
    const Ints target = targetShape(ctx, attributes, window);
    OnnxValue y;
    if (target.empty()) {
        TransposedEnds ends{window.pad, window.pad};
        const Ints adj = adjustments(ctx, attributes, window);
        std::transform(window.pad.begin(), window.pad.end(), adj.begin(), ends.end.begin(), std::minus<>());
        y = transposedConvolution(ctx, x, weight, bias, window, groups, ends);
    } else {
        const Shape& shape = ctx.shape(x);
        const bool known = std::all_of(shape.iteratorAt(2), shape.end(), [](const Dim& dim) { return dim.isFixed(); });
        if (known || ctx.element(x) == ElementType::Float64) {
            const TransposedEnds ends = endsFor(ctx, x, window, target);
            if (attributes.has("pad") && ends.begin != window.pad) {
                ctx.note("backend-dependent",
                         "pad does not fit target_shape and is ignored, as MXNet documents; its oneDNN builds cut pad "
                         "at the beginning",
                         "pad");
            }
            y = transposedConvolution(ctx, x, weight, bias, window, groups, ends);
        } else { // ONNX too cuts the surplus evenly and the odd one at the beginning
            y = ctx.emit("ConvTranspose", {x, weight, bias},
                         {{"kernel_shape", window.kernel},
                          {"strides", window.stride},
                          {"dilations", window.dilate},
                          {"group", groups},
                          {"output_shape", target}});
        }
    }
    return {window.channelsLast ? toChannelsLast(ctx, y) : y};
}

/// y = x W^T + b, over all but the first axis of x (flatten, the default) or over its last axis.
OnnxValues fullyConnected(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool flatten = attributes.boolean("flatten", true);
    const std::int64_t units = positive(ctx, "num_hidden", attributes.integer("num_hidden"));
    OnnxValue x = ctx.input(0);
    if (flatten && ctx.rank(x) != 2) {
        x = ctx.emit("Flatten", {x}, {{"axis", 1}});
    }
    const Shape& shape = ctx.shape(x);
    if (shape.empty()) {
        ctx.invalid("FullyConnected requires data of at least one dimension");
    }
    ctx.expectWeight(1, {Dim(units), shape.back().isFixed() ? shape.back() : Dim()});
    const OnnxValue bias = biasOf(ctx, attributes, false, units);
    if (shape.size() == 2) {
        return {ctx.emit("Gemm", {x, ctx.input(1), bias}, {{"transB", 1}})};
    }
    const OnnxValue y = ctx.emit("MatMul", {x, emit::transpose(ctx, ctx.input(1), {1, 0})});
    return {bias ? ctx.emit("Add", {y, bias}) : y};
}

} // namespace

std::span<const OpRow> convolutionOps()
{
    static constexpr OpRow rows[] = {
        {"Convolution", convolution, "Conv"},
        {"Convolution_v1", convolution, "Conv"},
        {"Deconvolution", deconvolution, "ConvTranspose"},
        {"FullyConnected", fullyConnected, "Gemm, or MatMul and Add"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
