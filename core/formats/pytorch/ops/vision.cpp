// Boxes and regions of images, and convolutions at moved positions.

#include "core/convert/forms/nn/deformable_convolution.h"
#include "core/convert/forms/vision/roi_align.h"
#include "core/convert/forms/vision/roi_pooling.h"
#include "core/convert/forms/vision/suppression.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

namespace crosswalk::pytorch {
namespace {

/// The boxes (x1, y1, x2, y2) that no better one overlaps by more than a threshold, the best first.
OnnxValues suppression(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue boxes = arguments.tensor("dets");
    const OnnxValue overlap = ctx.onnx.scalar(ElementType::Float32, arguments.number("iou_threshold", 0.5));
    return {forms::selectedBoxes(ctx, {.boxes = boxes,
                                       .scores = arguments.tensor("scores"),
                                       .most = emit::dimVector(ctx, boxes, 0),
                                       .overlap = overlap})};
}

forms::Bins binsOf(const NodeContext& ctx, const Arguments& arguments)
{
    const forms::Bins bins{.height = arguments.positive("pooled_height", 1),
                           .width = arguments.positive("pooled_width", 1),
                           .scale = arguments.number("spatial_scale", 1)};
    if (bins.height > mostParts || bins.width > mostParts) {
        ctx.invalid("there are too many bins", "pooled_height");
    }
    return bins;
}

template <bool ownChannels>
OnnxValues alignedRegions(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const forms::RoiAlign how{.bins = binsOf(ctx, arguments),
                              .samples = arguments.integer("sampling_ratio", -1),
                              .isShifted = ownChannels || arguments.truth("aligned"),
                              .ownChannels = ownChannels};
    return {forms::roiAlign(ctx, arguments.tensor("input"), arguments.tensor("rois"), how)};
}

OnnxValues pooledRegions(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {forms::maxRoiPooling(ctx, arguments.tensor("input"), arguments.tensor("rois"), binsOf(ctx, arguments))};
}

OnnxValues deformableConvolution(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue weight = arguments.tensor("weight");
    forms::DeformableConvolution how{.filters = ctx.fixedDim(weight, 0),
                                     .groups = arguments.positive("groups", 1),
                                     .offsetGroups = arguments.positive("offset_groups", 1)};
    how.window = {.kernel = {ctx.fixedDim(weight, 2), ctx.fixedDim(weight, 3)},
                  .stride = {arguments.positive("stride_h", 1), arguments.positive("stride_w", 1)},
                  .dilate = {arguments.positive("dilation_h", 1), arguments.positive("dilation_w", 1)}};
    limitNumbers(ctx, "dilation", how.window.dilate);
    how.pad = {arguments.integer("pad_h", 0), arguments.integer("pad_w", 0)};
    limitNumbers(ctx, "pad", how.pad);
    const bool hasMask = arguments.truth("use_mask", true);
    return {forms::deformableConvolution(ctx,
                                         {.x = arguments.tensor("input"),
                                          .offsets = arguments.tensor("offset"),
                                          .mask = hasMask ? arguments.tensor("mask") : OnnxValue{},
                                          .weight = weight,
                                          .bias = arguments.optional("bias")},
                                         how)};
}

} // namespace

std::span<const OpRow> visionOps()
{
    static constexpr OpRow rows[] = {
        {"torchvision::nms", suppression, "NonMaxSuppression"},
        {"torchvision::roi_align", alignedRegions<false>, "RoiAlign"},
        {"torchvision::ps_roi_align", alignedRegions<true>, "RoiAlign"},
        {"torchvision::roi_pool", pooledRegions, "Loop"},
        {"torchvision::deform_conv2d", deformableConvolution, "DeformConv"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
