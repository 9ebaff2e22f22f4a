#include "core/convert/forms/vision/row_suppression.h"

#include "core/convert/forms/vision/suppression.h"

#include <limits>

namespace crosswalk::forms {
namespace {

OnnxValue columnAt(const NodeContext& ctx, OnnxValue x, std::int64_t index)
{
    return columns(ctx, x, index, index + 1);
}

/// Boxes in the other format, but those that begin left of 0: the rows of -1 stay as they are.
OnnxValue converted(const NodeContext& ctx, OnnxValue rows, std::int64_t box, bool toCenter)
{
    const OnnxValue before = columns(ctx, rows, box, box + 4);
    const OnnxValue after = toCenter ? cornersToCenter(ctx, before) : centerToCorners(ctx, before);
    const OnnxValue first = columnAt(ctx, rows, box);
    const OnnxValue keeps = ctx.emit("Less", {first, emit::scalarLike(ctx, first, 0)});
    OnnxValues parts;
    if (box > 0) {
        parts.push_back(columns(ctx, rows, 0, box));
    }
    parts.push_back(ctx.emit("Where", {keeps, before, after}));
    if (ctx.fixedDim(rows, -1) > box + 4) {
        parts.push_back(columns(ctx, rows, box + 4, std::numeric_limits<std::int64_t>::max()));
    }
    return emit::concat(ctx, parts, -1);
}

/// One number of each row: (N, A).
OnnxValue field(const NodeContext& ctx, OnnxValue rows, std::int64_t index)
{
    return emit::gather(ctx, rows, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(index)), 2);
}

/// x (N, K, W) with rows of -1 behind, as many as `like` (N, A, ...) has. `count` is K, as a vector.
OnnxValue filledUp(const NodeContext& ctx, OnnxValue x, OnnxValue count, OnnxValue like)
{
    if (ctx.shape(x)[1].isFixed() && ctx.shape(x)[1] == ctx.shape(like)[1]) {
        return x;
    }
    const OnnxValue missing = ctx.emit("Sub", {emit::dimVector(ctx, like, 1), count});
    const OnnxValue none = ctx.onnx.ints({0});
    const OnnxValue pads = emit::concat(ctx, {ctx.onnx.ints({0, 0, 0, 0}), missing, none}, 0);
    const OnnxValue y = ctx.emit("Pad", {x, pads, emit::scalarLike(ctx, x, -1)});
    ctx.onnx.refine(y, ctx.shape(like));
    return y;
}

} // namespace

OnnxValue suppressedRows(const NodeContext& ctx, OnnxValue data, const RowSuppression& how)
{
    const std::size_t rank = ctx.rank(data);
    const std::int64_t width = ctx.fixedDim(data, -1);
    const OnnxValue rows = rank == 3 ? data : emit::reshape(ctx, data, [&] {
        const OnnxValue count = emit::dimVector(ctx, data, -2);
        return emit::concat(ctx, {ctx.onnx.ints({-1}), count, ctx.onnx.ints({width})}, 0);
    }());
    const OnnxValue scores = field(ctx, rows, how.score);
    const double least = how.leastScore;
    OnnxValue valid = ctx.emit("Greater", {scores, emit::scalarLike(ctx, scores, least)});
    if (how.id >= 0) {
        const OnnxValue ids = field(ctx, rows, how.id);
        const OnnxValue background = emit::scalarLike(ctx, ids, how.background);
        valid = ctx.emit("And", {valid, ctx.emit("Not", {ctx.emit("Equal", {ids, background})})});
    }
    const OnnxValue order = bestFirst(ctx, scores, valid, how.most);
    const OnnxValue sorted = rowsInOrder(ctx, rows, order);
    const OnnxValue count = emit::dimVector(ctx, order, 1);
    Suppression suppression{.threshold = how.overlap, .count = count};
    if (how.id >= 0 && how.perClass) {
        suppression.classes = emit::cast(ctx, columnAt(ctx, sorted, how.id), ElementType::Int32);
    }
    const OnnxValue isValid = emit::unsqueeze(ctx, ctx.emit("GatherElements", {valid, order}, {{"axis", 1}}), {2});
    const OnnxValue alive = suppressed(ctx, boxesOf(ctx, sorted, how.isCenter, how.box), isValid, suppression);
    const OnnxValue left = ctx.emit("Where", {alive, sorted, emit::scalarLike(ctx, sorted, -1)});
    const OnnxValue front = markedFirst(ctx, emit::squeeze(ctx, alive, {2}), count);
    OnnxValue y = filledUp(ctx, rowsInOrder(ctx, left, front), count, rows);
    if (how.isCenter != how.toCenter) {
        y = converted(ctx, y, how.box, how.toCenter);
    }
    if (rank != 3) {
        y = emit::reshape(ctx, y, emit::shapeVector(ctx, data));
    }
    ctx.onnx.refine(y, ctx.shape(data));
    return y;
}

} // namespace crosswalk::forms
