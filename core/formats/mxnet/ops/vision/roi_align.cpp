// _contrib_ROIAlign and _contrib_RROIAlign.

#include "core/convert/forms/vision/roi_align.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/vision/region_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValues rotatedRoiAlign(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Bins bins = binsOf(ctx, attributes);
    expectRegions(ctx, ctx.input(0), ctx.input(1), 6);
    return {forms::rotatedRoiAlign(ctx, ctx.input(0), ctx.input(1), bins, attributes.integer("sampling_ratio", -1))};
}

/// MXNet's result is undefined for a negative image index.
OnnxValues roiAlign(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue regions = ctx.input(1);
    RoiAlign how;
    how.bins = binsOf(ctx, attributes);
    how.samples = attributes.integer("sample_ratio", -1);
    how.isShifted = attributes.boolean("aligned", false);
    how.isNumbered = ctx.rank(regions) != 2 || ctx.fixedDim(regions, 1) != 4;
    how.ownChannels = attributes.boolean("position_sensitive", false);
    expectRegions(ctx, ctx.input(0), regions, how.isNumbered ? 5 : 4);
    const std::int64_t count = how.bins.height * how.bins.width;
    if (how.ownChannels && ctx.fixedDim(ctx.input(0), 1) % count != 0) {
        ctx.invalid(fmt::format("{} channels are not a multiple of the {} bins", ctx.fixedDim(ctx.input(0), 1), count),
                    "position_sensitive");
    }
    return {forms::roiAlign(ctx, ctx.input(0), regions, how)};
}

} // namespace

std::span<const OpRow> roiAlignOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_ROIAlign", roiAlign,
         "RoiAlign; Scan of Gather and arithmetic if aligned before opset 16, and from opset 22"},
        {"_contrib_RROIAlign", rotatedRoiAlign, "Scan of Gather and arithmetic"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
