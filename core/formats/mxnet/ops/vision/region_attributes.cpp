#include "core/formats/mxnet/ops/vision/region_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::int64_t mostBins = 4096;

void expectBins(const NodeContext& ctx, std::int64_t count)
{
    if (count < 1 || count > mostBins) {
        ctx.invalid(fmt::format("pooled_size = {} is out of range", count), "pooled_size");
    }
}

double scaleOf(const NodeContext& ctx, const Attributes& attributes)
{
    const auto scale = static_cast<float>(attributes.number("spatial_scale"));
    if (!(scale > 0)) {
        ctx.invalid(fmt::format("spatial_scale = {} is not positive", scale), "spatial_scale");
    }
    return static_cast<double>(scale);
}

} // namespace

Bins binsOf(const NodeContext& ctx, const Attributes& attributes)
{
    const Ints size = attributes.ints("pooled_size");
    if (size.size() != 2) {
        ctx.invalid("pooled_size must be a height and a width", "pooled_size");
    }
    expectBins(ctx, size[0]);
    expectBins(ctx, size[1]);
    Bins bins;
    bins.height = size[0];
    bins.width = size[1];
    bins.scale = scaleOf(ctx, attributes);
    return bins;
}

Bins positionSensitiveBins(const NodeContext& ctx, const Attributes& attributes)
{
    Bins bins;
    bins.height = bins.width = attributes.integer("pooled_size");
    expectBins(ctx, bins.height);
    bins.scale = scaleOf(ctx, attributes);
    bins.channels = attributes.integer("output_dim");
    bins.groups = attributes.integer("group_size", 0);
    bins.groups = bins.groups == 0 ? bins.height : bins.groups;
    const std::int64_t channels = ctx.fixedDim(ctx.input(0), 1);
    if (bins.channels < 1 || bins.groups < 1 || bins.groups > mostBins ||
        bins.channels > channels / (bins.groups * bins.groups)) {
        ctx.invalid(fmt::format("the data has {} channels, which does not match output_dim = {} and group_size = {}",
                                channels, bins.channels, bins.groups),
                    "output_dim");
    }
    return bins;
}

} // namespace crosswalk::mxnet
