// _contrib_DeformableConvolution and _contrib_ModulatedDeformableConvolution.

#include "core/convert/forms/nn/deformable_convolution.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/nn/window_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

DeformableConvolution layerOf(const NodeContext& ctx, std::size_t weight)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const std::int64_t filters = attributes.integer("num_filter");
    DeformableConvolution how{.window = window, .pad = window.pad, .filters = filters};
    how.groups = attributes.integer("num_group", 1);
    how.offsetGroups = attributes.integer("num_deformable_group", 1);
    if (window.rank() != 2 || window.channelsLast || ctx.rank(ctx.input(0)) != 4) {
        ctx.invalid("a deformable convolution requires images, channels first", "kernel");
    }
    const std::int64_t channels = ctx.fixedDim(ctx.input(0), 1);
    const std::int64_t places = window.kernel[0] * window.kernel[1];
    const auto expectDivides = [&](const char* name, std::int64_t count) {
        if (count < 1 || channels % count != 0) {
            ctx.invalid(fmt::format("{} = {} does not divide {} channels", name, count, channels), name);
        }
    };
    expectDivides("num_group", how.groups);
    expectDivides("num_deformable_group", how.offsetGroups);
    if (filters < 1 || filters % how.groups != 0) {
        ctx.invalid(fmt::format("num_filter = {} is not divisible by {} groups", filters, how.groups), "num_filter");
    }
    const Dim& offsets = ctx.shape(ctx.input(1)).at(1);
    if (offsets.isFixed() && offsets.size != 2 * places * how.offsetGroups) {
        ctx.invalid(
            fmt::format("{} offsets for {} positions in {} deformable groups", offsets.size, places, how.offsetGroups),
            "num_deformable_group");
    }
    ctx.expectWeight(weight, {Dim(filters), Dim(channels / how.groups), Dim(window.kernel[0]), Dim(window.kernel[1])});
    return how;
}

OnnxValue widenedBias(const NodeContext& ctx, const Precision& precision, std::size_t i, std::int64_t filters)
{
    if (Attributes(ctx).boolean("no_bias", false)) {
        return {};
    }
    ctx.expectWeight(i, {Dim(filters)});
    return precision.widen(ctx.input(i));
}

OnnxValues deformable(NodeContext& ctx)
{
    DeformableConvolution how = layerOf(ctx, 2);
    how.keepsLastPixel = true;
    const Precision precision(ctx, ctx.input(0));
    const OnnxValue x = precision.widen(ctx.input(0));
    const OnnxValue offsets = precision.widen(ctx.input(1));
    const OnnxValue weight = precision.widen(ctx.input(2));
    const OnnxValue bias = widenedBias(ctx, precision, 3, how.filters);
    return {precision.restore(
        deformableConvolution(ctx, {.x = x, .offsets = offsets, .weight = weight, .bias = bias}, how))};
}

OnnxValues modulated(NodeContext& ctx)
{
    const DeformableConvolution how = layerOf(ctx, 3);
    const Precision precision(ctx, ctx.input(0));
    const OnnxValue x = precision.widen(ctx.input(0));
    const OnnxValue offsets = precision.widen(ctx.input(1));
    const OnnxValue mask = precision.widen(ctx.input(2));
    const OnnxValue weight = precision.widen(ctx.input(3));
    const OnnxValue bias = widenedBias(ctx, precision, 4, how.filters);
    return {precision.restore(
        deformableConvolution(ctx, {.x = x, .offsets = offsets, .mask = mask, .weight = weight, .bias = bias}, how))};
}

constexpr std::string_view form = "DeformConv, or Gather, arithmetic and MatMul";

} // namespace

std::span<const OpRow> deformableConvolutionOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_DeformableConvolution", deformable, form},
        {"_contrib_ModulatedDeformableConvolution", modulated, form},
        {"_npx_deformable_convolution", deformable, form},
        {"_npx_modulated_deformable_convolution", modulated, form},
    };
    return rows;
}

} // namespace crosswalk::mxnet
