#include "core/convert/forms/vision/boxes.h"

#include "core/convert/forms/elementwise/precision.h"

#include <numeric>

namespace crosswalk::forms {
namespace {

OnnxValue notNegative(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Max", {x, emit::scalarLike(ctx, x, 0)});
}

/// Product of the last axis, which has two elements.
OnnxValue productOfPair(const NodeContext& ctx, OnnxValue pair)
{
    return emit::reduce(ctx, "ReduceProd", pair, {-1}, true);
}

OnnxValue pairOf(const NodeContext& ctx, OnnxValue like, const BoxPair& pair)
{
    const std::vector<double> values{pair.x, pair.y};
    return ctx.onnx.constant(Tensor::of<double>(ElementType::Float64, {2}, values).converted(ctx.element(like)));
}

} // namespace

OnnxValue columns(const NodeContext& ctx, OnnxValue x, std::int64_t first, std::int64_t end)
{
    return emit::slice(ctx, x, Ints{first}, Ints{end}, Ints{static_cast<std::int64_t>(ctx.rank(x)) - 1});
}

Boxes boxesOf(const NodeContext& ctx, OnnxValue boxes, bool isCenter, std::int64_t first)
{
    OnnxValue low = columns(ctx, boxes, first, first + 2);
    OnnxValue high = columns(ctx, boxes, first + 2, first + 4);
    OnnxValue size;
    if (isCenter) {
        size = high;
        const OnnxValue half = ctx.emit("Div", {size, emit::scalarLike(ctx, size, 2)});
        high = ctx.emit("Add", {low, half});
        low = ctx.emit("Sub", {low, half});
    } else {
        size = ctx.emit("Sub", {high, low});
    }
    return {low, high, productOfPair(ctx, notNegative(ctx, size))};
}

OnnxValue overlap(const NodeContext& ctx, const Boxes& a, const Boxes& b)
{
    const OnnxValue low = ctx.emit("Max", {a.low, b.low});
    const OnnxValue high = ctx.emit("Min", {a.high, b.high});
    const OnnxValue common = productOfPair(ctx, notNegative(ctx, ctx.emit("Sub", {high, low})));
    const OnnxValue whole = ctx.emit("Sub", {ctx.emit("Add", {a.area, b.area}), common});
    const OnnxValue zero = emit::scalarLike(ctx, common, 0);
    return ctx.emit("Where", {ctx.emit("Greater", {common, zero}), ctx.emit("Div", {common, whole}), zero});
}

OnnxValue cornersToCenter(const NodeContext& ctx, OnnxValue boxes)
{
    const OnnxValue low = columns(ctx, boxes, 0, 2);
    const OnnxValue high = columns(ctx, boxes, 2, 4);
    const OnnxValue middle = ctx.emit("Div", {ctx.emit("Add", {low, high}), emit::scalarLike(ctx, low, 2)});
    return emit::concat(ctx, {middle, ctx.emit("Sub", {high, low})}, -1);
}

OnnxValue centerToCorners(const NodeContext& ctx, OnnxValue boxes)
{
    const OnnxValue middle = columns(ctx, boxes, 0, 2);
    const OnnxValue half = ctx.emit("Div", {columns(ctx, boxes, 2, 4), emit::scalarLike(ctx, middle, 2)});
    return emit::concat(ctx, {ctx.emit("Sub", {middle, half}), ctx.emit("Add", {middle, half})}, -1);
}

OnnxValue rowsInOrder(const NodeContext& ctx, OnnxValue x, OnnxValue indices)
{
    const OnnxValue counted = emit::unsqueeze(ctx, indices, {2});
    if (ctx.onnx.opset() >= 12) {
        return ctx.emit("GatherND", {x, counted}, {{"batch_dims", 1}});
    }
    const OnnxValue dims = emit::concat(ctx, {ctx.onnx.ints({1, 1}), emit::dimVector(ctx, x, 2)}, 0);
    const OnnxValue whole = emit::expand(ctx, counted, dims);
    const OnnxValue y = ctx.emit("GatherElements", {x, whole}, {{"axis", 1}});
    ctx.onnx.refine(y, {ctx.shape(x)[0], ctx.shape(indices)[1], ctx.shape(x)[2]});
    return y;
}

OnnxValue overlapOfAll(const NodeContext& ctx, OnnxValue left, OnnxValue right, bool isCenter)
{
    const Precision precision(ctx, left);
    left = precision.widen(left);
    right = precision.widen(right);
    Ints axes(ctx.rank(right) - 1);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(ctx.rank(left)) - 1);
    left = emit::unsqueeze(ctx, left, axes);
    const OnnxValue iou = overlap(ctx, boxesOf(ctx, left, isCenter), boxesOf(ctx, right, isCenter));
    return precision.restore(emit::squeeze(ctx, iou, {static_cast<std::int64_t>(ctx.rank(iou)) - 1}));
}

OnnxValue decodedBoxes(const NodeContext& ctx, OnnxValue moves, OnnxValue anchors, const BoxDecoding& how)
{
    const Precision precision(ctx, moves);
    const OnnxValue x = precision.widen(moves);
    anchors = precision.widen(anchors);
    if (!how.isCenter) {
        anchors = cornersToCenter(ctx, anchors);
    }
    const OnnxValue place = columns(ctx, anchors, 0, 2);
    const OnnxValue size = columns(ctx, anchors, 2, 4);
    const OnnxValue near = pairOf(ctx, x, how.shift);
    const OnnxValue grow = pairOf(ctx, x, how.growth);
    const OnnxValue shift = ctx.emit("Mul", {ctx.emit("Mul", {columns(ctx, x, 0, 2), near}), size});
    const OnnxValue middle = ctx.emit("Add", {shift, place});
    OnnxValue scale = ctx.emit("Mul", {columns(ctx, x, 2, 4), grow});
    if (how.clip) {
        scale = ctx.emit("Min", {scale, emit::scalarLike(ctx, scale, *how.clip)});
    }
    const OnnxValue half =
        ctx.emit("Mul", {ctx.emit("Mul", {ctx.emit("Exp", {scale}), size}), emit::scalarLike(ctx, size, 0.5)});
    const OnnxValue y = emit::concat(ctx, {ctx.emit("Sub", {middle, half}), ctx.emit("Add", {middle, half})}, -1);
    ctx.onnx.refine(y, ctx.shape(x));
    return precision.restore(y);
}

EncodedBoxes encodedBoxes(const NodeContext& ctx, const BoxEncoding& given)
{
    const Precision precision(ctx, given.anchors);
    const OnnxValue matches = emit::cast(ctx, given.matches, ElementType::Int64);
    const OnnxValue references = cornersToCenter(ctx, rowsInOrder(ctx, precision.widen(given.references), matches));
    const OnnxValue anchors = cornersToCenter(ctx, precision.widen(given.anchors));
    const OnnxValue size = columns(ctx, anchors, 2, 4);
    const OnnxValue shift = ctx.emit("Sub", {columns(ctx, references, 0, 2), columns(ctx, anchors, 0, 2)});
    const OnnxValue growth = ctx.emit("Log", {ctx.emit("Div", {columns(ctx, references, 2, 4), size})});
    OnnxValue targets = emit::concat(ctx, {ctx.emit("Div", {shift, size}), growth}, -1);
    targets = ctx.emit("Sub", {targets, precision.widen(given.means)});
    targets = ctx.emit("Div", {targets, precision.widen(given.deviations)});
    const OnnxValue samples = emit::unsqueeze(ctx, given.samples, {2});
    const OnnxValue isSample = ctx.emit("Greater", {samples, emit::scalarLike(ctx, samples, 0.5)});
    const OnnxValue all = emit::expand(ctx, isSample, emit::shapeVector(ctx, targets));
    const OnnxValue masks = emit::cast(ctx, all, precision.type());
    return {precision.restore(ctx.emit("Where", {isSample, targets, emit::scalarLike(ctx, targets, 0)})), masks};
}

} // namespace crosswalk::forms
