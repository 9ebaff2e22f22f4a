// NonMaxSuppression of boxes (y1, x1, y2, x2), one class.

#include "core/convert/forms/vision/suppression.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <cmath>

namespace crosswalk::tensorflow {
namespace {

/// int64 vector of the selected boxes, the best first. Absent inputs: no limit to the score.
OnnxValue selected(const NodeContext& ctx, OnnxValue overlap, OnnxValue score)
{
    const Tensor* stored = score ? ctx.onnx.content(score) : nullptr;
    const bool isOpen = stored != nullptr && std::isinf(stored->toDoubles().front());
    return selectedBoxes(ctx, {.boxes = ctx.input(0),
                               .scores = ctx.input(1),
                               .most = intVector(ctx, ctx.input(2)),
                               .overlap = overlap,
                               .leastScore = isOpen ? OnnxValue{} : score});
}

/// Padded with 0 to max_output_size on demand, and the number of boxes.
OnnxValues padded(const NodeContext& ctx, OnnxValue found)
{
    const OnnxValue count = emit::shapeVector(ctx, found);
    if (Settings(ctx).boolean("pad_to_max_output_size")) {
        const OnnxValue missing = ctx.emit("Sub", {intVector(ctx, ctx.input(2)), count});
        const OnnxValue pads = emit::concat(ctx, {ctx.onnx.ints({0}), missing}, 0);
        found = ctx.emit("Pad", {found, pads, ctx.onnx.scalar(ElementType::Int64, 0)});
    }
    return {emit::cast(ctx, found, ElementType::Int32), emit::cast(ctx, scalarOf(ctx, count), ElementType::Int32)};
}

OnnxValues suppression(NodeContext& ctx)
{
    const OnnxValue overlap = ctx.onnx.scalar(ElementType::Float32, Settings(ctx).number("iou_threshold"));
    return {emit::cast(ctx, selected(ctx, overlap, {}), ElementType::Int32)};
}

OnnxValues suppressionV2(NodeContext& ctx)
{
    return {emit::cast(ctx, selected(ctx, ctx.input(3), {}), ElementType::Int32)};
}

OnnxValues suppressionV3(NodeContext& ctx)
{
    return {emit::cast(ctx, selected(ctx, ctx.input(3), ctx.input(4)), ElementType::Int32)};
}

OnnxValues suppressionV4(NodeContext& ctx)
{
    return padded(ctx, selected(ctx, ctx.input(3), ctx.input(4)));
}

/// With a deviation above 0 an overlap lowers the score of a box instead of removing it.
OnnxValues suppressionV5(NodeContext& ctx)
{
    if (constantNumbers(ctx, 5, "soft_nms_sigma").front() != 0) {
        ctx.refuse("soft suppression (soft_nms_sigma above 0) lowers scores, which ONNX's operator does not support");
    }
    const OnnxValues found = padded(ctx, selected(ctx, ctx.input(3), ctx.input(4)));
    const OnnxValue scores = emit::gather(ctx, ctx.input(1), found[0], 0);
    if (!Settings(ctx).boolean("pad_to_max_output_size")) {
        return {found[0], scores, found[1]};
    }
    const OnnxValue places = countTo(ctx, emit::dimVector(ctx, found[0], 0));
    const OnnxValue isFound = ctx.emit("Less", {places, asInt64(ctx, found[1])});
    return {found[0], choose(ctx, isFound, scores, emit::scalarLike(ctx, scores, 0)), found[1]};
}

constexpr OpRow rows[] = {
    {"NonMaxSuppression", suppression, "NonMaxSuppression"},
    {"NonMaxSuppressionV2", suppressionV2, "NonMaxSuppression"},
    {"NonMaxSuppressionV3", suppressionV3, "NonMaxSuppression"},
    {"NonMaxSuppressionV4", suppressionV4, "NonMaxSuppression"},
    {"NonMaxSuppressionV5", suppressionV5, "NonMaxSuppression"},
};

} // namespace

std::span<const OpRow> nonMaxSuppressionOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
