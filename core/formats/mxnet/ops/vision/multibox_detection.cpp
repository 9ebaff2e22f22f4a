// _contrib_MultiBoxDetection: converts class and box predictions of an SSD head to detections.

#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/vision/suppression.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <limits>

namespace crosswalk::mxnet {
namespace {

struct Detection {
    OnnxValue id;    ///< (N, A, 1), 0 for the first class that is not background, -1 for none
    OnnxValue score; ///< (N, A, 1)
    OnnxValue box;   ///< (N, A, 4)
};

OnnxValue pairOf(const NodeContext& ctx, OnnxValue like, double a, double b)
{
    const std::vector<double> values{a, b};
    return ctx.onnx.constant(Tensor::of<double>(ElementType::Float64, {2}, values).converted(ctx.element(like)));
}

/// Applies the predicted shifts to the anchors.
OnnxValue predictedBoxes(const NodeContext& ctx, const Attributes& attributes, OnnxValue shifts, OnnxValue anchors)
{
    const auto given = attributes.numbers("variances");
    const std::vector<double> variances = given.empty() ? std::vector<double>{0.1, 0.1, 0.2, 0.2} : given;
    if (variances.size() != 4) {
        ctx.invalid("variances must be four numbers", "variances");
    }
    const OnnxValue x = emit::reshape(ctx, shifts, Ints{0, -1, 4});
    const OnnxValue center = cornersToCenter(ctx, anchors);
    const OnnxValue size = columns(ctx, center, 2, 4);
    const OnnxValue near = ctx.emit("Mul", {columns(ctx, x, 0, 2), pairOf(ctx, x, variances[0], variances[1])});
    const OnnxValue middle = ctx.emit("Add", {ctx.emit("Mul", {near, size}), columns(ctx, center, 0, 2)});
    const OnnxValue grow = ctx.emit("Mul", {columns(ctx, x, 2, 4), pairOf(ctx, x, variances[2], variances[3])});
    const OnnxValue whole = ctx.emit("Mul", {ctx.emit("Exp", {grow}), size});
    const OnnxValue half = ctx.emit("Div", {whole, emit::scalarLike(ctx, size, 2)});
    const OnnxValue box = emit::concat(ctx, {ctx.emit("Sub", {middle, half}), ctx.emit("Add", {middle, half})}, -1);
    return attributes.boolean("clip", true) ? emit::clip(ctx, box, 0, 1) : box;
}

Detection detect(const NodeContext& ctx, const Attributes& attributes, const Precision& precision)
{
    const OnnxValue probabilities = precision.widen(ctx.input(0)); // (N, classes, A), class 0 the background
    if (ctx.rank(probabilities) != 3) {
        ctx.invalid("MultiBoxDetection requires class probabilities of 3 dimensions");
    }
    const OnnxValue things =
        emit::slice(ctx, probabilities, Ints{1}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{1});
    OnnxValue score = emit::reduce(ctx, "ReduceMax", things, {1}, false);
    const OnnxValue best = ctx.emit("ArgMax", {things}, {{"axis", 1}, {"keepdims", 0}});
    const OnnxValue number = emit::cast(ctx, best, ctx.element(score));
    const OnnxValue none = emit::scalarLike(ctx, score, -1);
    OnnxValue isThing = ctx.emit("Greater", {score, none});
    score = ctx.emit("Max", {score, none});
    const OnnxValue least = emit::scalarLike(ctx, score, attributes.number("threshold", 0.01));
    isThing = ctx.emit("And", {isThing, ctx.emit("Not", {ctx.emit("Less", {score, least})})});
    const OnnxValue id = ctx.emit("Where", {isThing, number, none});
    return {emit::unsqueeze(ctx, id, {2}), emit::unsqueeze(ctx, score, {2}),
            predictedBoxes(ctx, attributes, precision.widen(ctx.input(1)), precision.widen(ctx.input(2)))};
}

/// x (N, K, W) followed by the rows of `like` (N, A, W) from K on.
OnnxValue continuedBy(const NodeContext& ctx, OnnxValue x, OnnxValue like)
{
    const OnnxValue first = emit::dimVector(ctx, x, 1);
    const OnnxValue end = ctx.onnx.ints({std::numeric_limits<std::int64_t>::max()});
    const OnnxValue y = emit::concat(ctx, {x, emit::slice(ctx, like, first, end, ctx.onnx.ints({1}))}, 1);
    ctx.onnx.refine(y, ctx.shape(like));
    return y;
}

OnnxValue columnOf(const NodeContext& ctx, OnnxValue x, std::int64_t index)
{
    return columns(ctx, x, index, index + 1);
}

OnnxValues multiBoxDetection(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Precision precision(ctx, ctx.input(0));
    const double threshold = attributes.number("nms_threshold", 0.5);
    const std::int64_t limit = attributes.integer("nms_topk", -1);
    const Detection found = detect(ctx, attributes, precision);
    const OnnxValue all = emit::concat(ctx, {found.id, found.score, found.box}, 2);
    const OnnxValue none = emit::scalarLike(ctx, all, -1);
    const auto isThing = [&](OnnxValue rows) { return ctx.emit("Greater", {columnOf(ctx, rows, 0), none}); };
    // Detections first, in the anchors' order, followed by rows of -1.
    const OnnxValue marks = emit::squeeze(ctx, isThing(all), {2});
    OnnxValue rows = rowsInOrder(ctx, all, markedFirst(ctx, marks));
    rows = ctx.emit("Where", {isThing(rows), rows, none});
    ctx.onnx.refine(rows, {ctx.shape(all)[0], ctx.shape(all)[1], Dim(6)});
    if (threshold <= 0 || threshold > 1) {
        return {precision.restore(rows)};
    }
    const OnnxValue taken = emit::squeeze(ctx, isThing(rows), {2});
    const OnnxValue scores = emit::squeeze(ctx, columnOf(ctx, rows, 1), {2});
    const OnnxValue order = bestFirst(ctx, scores, taken, limit > 0 ? limit : -1);
    const OnnxValue sorted = rowsInOrder(ctx, rows, order);
    Suppression how{.threshold = threshold, .orEqual = true};
    if (!attributes.boolean("force_suppress", false)) {
        how.classes = emit::cast(ctx, columnOf(ctx, sorted, 0), ElementType::Int32);
    }
    const OnnxValue alive = suppressed(ctx, boxesOf(ctx, sorted, false, 2), isThing(sorted), how);
    const OnnxValue id = ctx.emit("Where", {alive, columnOf(ctx, sorted, 0), none});
    OnnxValue kept = emit::concat(ctx, {id, columns(ctx, sorted, 1, 6)}, 2);
    // Detections beyond the limit keep their score and box in their old row, but no class.
    const OnnxValue rest = emit::concat(
        ctx, {emit::expand(ctx, none, emit::shapeVector(ctx, columnOf(ctx, rows, 0))), columns(ctx, rows, 1, 6)}, 2);
    return {precision.restore(continuedBy(ctx, kept, rest))};
}

} // namespace

std::span<const OpRow> multiBoxDetectionOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_MultiBoxDetection", multiBoxDetection, "ArgMax, TopK, Loop over the boxes, Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
