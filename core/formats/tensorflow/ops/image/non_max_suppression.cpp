// NonMaxSuppression of boxes (y1, x1, y2, x2), of one class or of several.

#include "core/convert/forms/vision/suppression.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

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

/// Boxes (N, A, Q, 4) and scores (N, A, K) as ONNX suppresses them. With a box for each class (Q = K) every class of an
/// image is an image of one class.
struct Classes {
    OnnxValue boxes;      ///< (images, A, 4)
    OnnxValue scores;     ///< (images, classes, A)
    bool isShared = true; ///< Q is 1
};

Classes classesOf(const NodeContext& ctx)
{
    const OnnxValue boxes = ctx.input(0);
    const OnnxValue scores = emit::transpose(ctx, ctx.input(1), {0, 2, 1});
    if (ctx.rank(boxes) != 4) {
        ctx.invalid(fmt::format("boxes must have 4 dimensions, not {}", ctx.rank(boxes)));
    }
    const OnnxValue count = emit::dimVector(ctx, boxes, 1);
    const OnnxValue open = ctx.onnx.ints({-1});
    if (ctx.fixedDim(boxes, 2) == 1) {
        return {emit::squeeze(ctx, boxes, {2}), scores};
    }
    const OnnxValue apart = emit::transpose(ctx, boxes, {0, 2, 1, 3});
    return {emit::reshape(ctx, apart, emit::concat(ctx, {open, count, ctx.onnx.ints({4})}, 0)),
            emit::reshape(ctx, scores, emit::concat(ctx, {open, ctx.onnx.ints({1}), count}, 0)), false};
}

/// The best of all classes: for each image so many boxes, their scores and classes, zeros behind them, and how many
/// there are.
OnnxValues combined(NodeContext& ctx)
{
    const Settings settings(ctx);
    const Classes classes = classesOf(ctx);
    const OnnxValue perClass = intVector(ctx, ctx.input(2));
    OnnxValue most = intVector(ctx, ctx.input(3));
    const OnnxValue classCount = emit::dimVector(ctx, ctx.input(1), 2);
    if (settings.boolean("pad_per_class")) {
        most = arithmetic::minimum(ctx, most, ctx.emit("Mul", {perClass, classCount}));
    }
    const auto asVector = [&](OnnxValue x) { return emit::reshape(ctx, x, Ints{1}); };
    const OnnxValue found = ctx.emit(
        "NonMaxSuppression", {classes.boxes, classes.scores, perClass, asVector(ctx.input(4)), asVector(ctx.input(5))});
    // Scores (images, classes and boxes), those that are not selected below all others.
    const OnnxValue none = ctx.onnx.scalar(ElementType::Float32, -std::numeric_limits<double>::infinity());
    const OnnxValue start = emit::expand(ctx, none, emit::shapeVector(ctx, classes.scores));
    const OnnxValue selected = ctx.emit("ScatterND", {start, found, ctx.emit("GatherND", {classes.scores, found})});
    const OnnxValue images = emit::dimVector(ctx, ctx.input(1), 0);
    const OnnxValue boxCount = emit::dimVector(ctx, ctx.input(1), 1);
    const OnnxValue all =
        emit::reshape(ctx, selected, emit::concat(ctx, {images, ctx.emit("Mul", {classCount, boxCount})}, 0));
    const OnnxValue more = emit::expand(ctx, none, emit::concat(ctx, {images, most}, 0));
    const OnnxValues best = ctx.onnx.add("TopK", {emit::concat(ctx, {all, more}, 1), most}, {{"axis", 1}}, 2);
    const OnnxValue isFound = ctx.emit("Greater", {best[0], none});
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue place = ctx.emit("Where", {isFound, best[1], zero});
    const OnnxValue numberOfClass = ctx.emit("Div", {place, boxCount});
    const OnnxValue box = ctx.emit("Mod", {place, boxCount});
    // The row of each box among those of all images.
    const OnnxValue image = emit::unsqueeze(ctx, countTo(ctx, images), {1});
    const OnnxValue set =
        classes.isShared ? image : ctx.emit("Add", {ctx.emit("Mul", {image, classCount}), numberOfClass});
    const OnnxValue row = ctx.emit("Add", {ctx.emit("Mul", {set, boxCount}), box});
    OnnxValue boxes = emit::gather(ctx, emit::reshape(ctx, classes.boxes, Ints{-1, 4}), row, 0);
    if (settings.boolean("clip_boxes")) {
        boxes = emit::clip(ctx, boxes, 0, 1);
    }
    const auto foundOnly = [&](OnnxValue x, OnnxValue isHere) {
        return ctx.emit("Where", {isHere, x, emit::scalarLike(ctx, x, 0)});
    };
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isFound, ElementType::Int32), {1}, false);
    return {foundOnly(boxes, emit::unsqueeze(ctx, isFound, {2})), foundOnly(best[0], isFound),
            foundOnly(emit::cast(ctx, numberOfClass, ElementType::Float32), isFound), count};
}

} // namespace

std::span<const OpRow> nonMaxSuppressionOps()
{
    static constexpr OpRow rows[] = {
        {"CombinedNonMaxSuppression", combined, "NonMaxSuppression, ScatterND, TopK"},
        {"NonMaxSuppression", suppression, "NonMaxSuppression"},
        {"NonMaxSuppressionV2", suppressionV2, "NonMaxSuppression"},
        {"NonMaxSuppressionV3", suppressionV3, "NonMaxSuppression"},
        {"NonMaxSuppressionV4", suppressionV4, "NonMaxSuppression"},
        {"NonMaxSuppressionV5", suppressionV5, "NonMaxSuppression"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
