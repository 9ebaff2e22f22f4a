// _contrib_box_nms.

#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/vision/suppression.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

struct Fields {
    std::int64_t score = 1;
    std::int64_t box = 2;
    std::int64_t id = -1;
};

OnnxValue column(const NodeContext& ctx, OnnxValue x, std::int64_t index)
{
    return columns(ctx, x, index, index + 1);
}

/// Boxes in the other format, but those that begin left of 0: MXNet leaves them as they are, for the rows of -1.
OnnxValue converted(const NodeContext& ctx, OnnxValue rows, std::int64_t box, bool toCenter)
{
    const OnnxValue before = columns(ctx, rows, box, box + 4);
    const OnnxValue after = toCenter ? cornersToCenter(ctx, before) : centerToCorners(ctx, before);
    const OnnxValue first = column(ctx, rows, box);
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

OnnxValues boxNms(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Fields at{attributes.integer("score_index", 1), attributes.integer("coord_start", 2),
                    attributes.integer("id_index", -1)};
    const std::int64_t topk = attributes.integer("topk", -1);
    const bool inCenter = attributes.choice("in_format", {"corner", "center"}, "corner") == "center";
    const bool outCenter = attributes.choice("out_format", {"corner", "center"}, "corner") == "center";
    const OnnxValue data = ctx.input(0);
    const std::size_t rank = ctx.rank(data);
    const std::int64_t width = rank < 2 ? 0 : ctx.fixedDim(data, -1);
    if (rank < 2 || at.score < 0 || at.score >= width || at.box < 0 || at.box + 4 > width || at.id >= width) {
        ctx.invalid(fmt::format("score_index, coord_start and id_index do not fit rows of {}", width));
    }
    if (topk == 0) {
        return {data};
    }
    const OnnxValue rows = rank == 3 ? data : emit::reshape(ctx, data, [&] {
        const OnnxValue count = emit::dimVector(ctx, data, -2);
        return emit::concat(ctx, {ctx.onnx.ints({-1}), count, ctx.onnx.ints({width})}, 0);
    }());
    const OnnxValue scores = field(ctx, rows, at.score);
    const double least = attributes.number("valid_thresh", 0);
    OnnxValue valid = ctx.emit("Greater", {scores, emit::scalarLike(ctx, scores, least)});
    if (at.id >= 0) {
        const OnnxValue ids = field(ctx, rows, at.id);
        const OnnxValue background = emit::scalarLike(ctx, ids, attributes.number("background_id", -1));
        valid = ctx.emit("And", {valid, ctx.emit("Not", {ctx.emit("Equal", {ids, background})})});
    }
    const OnnxValue order = bestFirst(ctx, scores, valid, topk);
    const OnnxValue sorted = rowsInOrder(ctx, rows, order);
    const OnnxValue count = emit::dimVector(ctx, order, 1);
    Suppression how{.threshold = attributes.number("overlap_thresh", 0.5), .count = count};
    if (at.id >= 0 && !attributes.boolean("force_suppress", false)) {
        how.classes = emit::cast(ctx, column(ctx, sorted, at.id), ElementType::Int32);
    }
    const OnnxValue isValid = emit::unsqueeze(ctx, ctx.emit("GatherElements", {valid, order}, {{"axis", 1}}), {2});
    const OnnxValue alive = suppressed(ctx, boxesOf(ctx, sorted, inCenter, at.box), isValid, how);
    const OnnxValue left = ctx.emit("Where", {alive, sorted, emit::scalarLike(ctx, sorted, -1)});
    const OnnxValue front = markedFirst(ctx, emit::squeeze(ctx, alive, {2}), count);
    OnnxValue y = filledUp(ctx, rowsInOrder(ctx, left, front), count, rows);
    if (inCenter != outCenter) {
        y = converted(ctx, y, at.box, outCenter);
    }
    if (rank != 3) {
        y = emit::reshape(ctx, y, emit::shapeVector(ctx, data));
    }
    ctx.onnx.refine(y, ctx.shape(data));
    return {y};
}

constexpr OpRow rows[] = {
    {"_contrib_box_nms", boxNms, "TopK, Loop over the boxes, Where", Support::Exact,
     "the second output, for training, is left out"},
};

} // namespace

std::span<const OpRow> boxNmsOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
