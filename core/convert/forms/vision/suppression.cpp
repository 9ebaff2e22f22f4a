#include "core/convert/forms/vision/suppression.h"

#include "core/convert/forms/control/loops.h"

#include <limits>

namespace crosswalk::forms {
namespace {

/// Row `turn` of (N, K, W): (N, 1, W).
OnnxValue rowAt(const NodeContext& ctx, OnnxValue x, OnnxValue turn)
{
    return emit::gather(ctx, x, emit::unsqueeze(ctx, turn, {0}), 1);
}

} // namespace

OnnxValue placesAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    return placesUpTo(ctx, emit::dimVector(ctx, x, axis));
}

OnnxValue placesUpTo(const NodeContext& ctx, OnnxValue size)
{
    if (const Tensor* known = ctx.onnx.content(size)) {
        Ints places(static_cast<std::size_t>(known->toInts()[0]));
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i] = static_cast<std::int64_t>(i);
        }
        return ctx.onnx.ints(places);
    }
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    return ctx.emit("Range", {zero, emit::squeeze(ctx, size, {0}), ctx.onnx.scalar(ElementType::Int64, 1)});
}

OnnxValue descending(const NodeContext& ctx, OnnxValue keys, OnnxValue count)
{
    const OnnxValue all = count ? count : emit::dimVector(ctx, keys, 1);
    const OnnxValues sorted = ctx.onnx.add("TopK", {keys, all}, {{"axis", 1}}, 2);
    ctx.onnx.refine(sorted[1], ctx.shape(keys));
    return sorted[1];
}

OnnxValue bestFirst(const NodeContext& ctx, OnnxValue keys, OnnxValue marked, std::int64_t limit)
{
    // Max and Min took no integers before opset 12.
    const ElementType number = ctx.onnx.opset() >= 12 ? ElementType::Int64 : ElementType::Float32;
    const OnnxValue counts = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, marked, number), {1}, true);
    OnnxValue count = emit::reduce(ctx, "ReduceMax", counts, {0}, false);
    count = ctx.emit("Max", {count, ctx.onnx.scalar(number, 1)});
    if (limit >= 0) {
        count = ctx.emit("Min", {count, ctx.onnx.scalar(number, static_cast<double>(limit))});
    }
    const OnnxValue bottom = emit::scalarLike(ctx, keys, -std::numeric_limits<double>::infinity());
    const OnnxValue sorted = ctx.emit("Where", {marked, keys, bottom});
    return ctx.onnx.add("TopK", {sorted, emit::cast(ctx, count, ElementType::Int64)}, {{"axis", 1}}, 2)[1];
}

OnnxValue markedFirst(const NodeContext& ctx, OnnxValue marks, OnnxValue count)
{
    return descending(ctx, emit::cast(ctx, marks, ElementType::Float32), count);
}

OnnxValue suppressed(const NodeContext& ctx, const Boxes& boxes, OnnxValue alive, const Suppression& how)
{
    const OnnxValue count = how.count ? how.count : emit::dimVector(ctx, boxes.low, 1);
    const OnnxValue places = emit::unsqueeze(ctx, placesUpTo(ctx, count), {1});
    const OnnxValue turns = emit::squeeze(ctx, count, {0});
    const OnnxValue threshold = emit::scalarLike(ctx, boxes.low, how.threshold);
    return loop(ctx, turns, {alive}, [&](OnnxValue turn, const OnnxValues& states) -> OnnxValues {
        const Boxes best{rowAt(ctx, boxes.low, turn), rowAt(ctx, boxes.high, turn), rowAt(ctx, boxes.area, turn)};
        const OnnxValue iou = overlap(ctx, boxes, best);
        const OnnxValue meets =
            how.orEqual ? ctx.emit("Not", {ctx.emit("Less", {iou, threshold})}) : ctx.emit("Greater", {iou, threshold});
        OnnxValue out = ctx.emit("And", {meets, ctx.emit("Greater", {places, turn})});
        if (how.classes) {
            const OnnxValue same = ctx.emit("Equal", {how.classes, rowAt(ctx, how.classes, turn)});
            out = ctx.emit("And", {out, same});
        }
        out = ctx.emit("And", {out, rowAt(ctx, states[0], turn)});
        return {ctx.emit("And", {states[0], ctx.emit("Not", {out})})};
    })[0];
}

OnnxValue selectedBoxes(const NodeContext& ctx, const BoxSelection& given)
{
    const OnnxValue boxes = emit::unsqueeze(ctx, emit::cast(ctx, given.boxes, ElementType::Float32), {0});
    const OnnxValue scores = emit::unsqueeze(ctx, emit::cast(ctx, given.scores, ElementType::Float32), {0, 1});
    const auto asVector = [&](OnnxValue x) {
        return emit::reshape(ctx, emit::cast(ctx, x, ElementType::Float32), Ints{1});
    };
    OnnxValues inputs{boxes, scores, given.most, asVector(given.overlap)};
    if (given.leastScore) {
        inputs.push_back(asVector(given.leastScore));
    }
    const OnnxValue found = ctx.emit("NonMaxSuppression", inputs);
    return emit::gather(ctx, found, ctx.onnx.scalar(ElementType::Int64, 2), 1);
}

} // namespace crosswalk::forms
