// ROIPooling and PSROIPooling.

#include "core/convert/forms/vision/roi_pooling.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/vision/region_attributes.h"

namespace crosswalk::mxnet {
namespace {

OnnxValues roiPooling(NodeContext& ctx)
{
    const Bins bins = binsOf(ctx, Attributes(ctx));
    expectRegions(ctx, ctx.input(0), ctx.input(1), 5);
    return {maxRoiPooling(ctx, ctx.input(0), ctx.input(1), bins)};
}

OnnxValues positionSensitivePooling(NodeContext& ctx)
{
    const Bins bins = positionSensitiveBins(ctx, Attributes(ctx));
    expectRegions(ctx, ctx.input(0), ctx.input(1), 5);
    return {forms::positionSensitivePooling(ctx, ctx.input(0), ctx.input(1), bins)};
}

} // namespace

std::span<const OpRow> roiPoolingOps()
{
    static constexpr OpRow rows[] = {
        {"ROIPooling", roiPooling, "MaxRoiPool; Scan of Where and ReduceMax from opset 22 and if not float32"},
        {"_contrib_PSROIPooling", positionSensitivePooling, "Scan of MatMul"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
