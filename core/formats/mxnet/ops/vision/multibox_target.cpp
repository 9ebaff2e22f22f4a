// _contrib_MultiBoxTarget: the training targets of an SSD head for labelled boxes.

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/vision/suppression.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <limits>

namespace crosswalk::mxnet {
namespace {

/// The overlap of every anchor with every label, -1 for labels after the first empty one: (N, A, L).
OnnxValue overlaps(const NodeContext& ctx, OnnxValue anchors, OnnxValue labels, OnnxValue isLabel)
{
    const auto number = [&](double value) { return emit::scalarLike(ctx, labels, value); };
    const OnnxValue a = emit::unsqueeze(ctx, anchors, {2});                    // (1, A, 1, 4)
    const OnnxValue b = emit::unsqueeze(ctx, columns(ctx, labels, 1, 5), {1}); // (N, 1, L, 4)
    const auto area = [&](OnnxValue boxes) {
        const OnnxValue size = ctx.emit("Sub", {columns(ctx, boxes, 2, 4), columns(ctx, boxes, 0, 2)});
        return emit::reduce(ctx, "ReduceProd", size, {3}, false);
    };
    const OnnxValue low = ctx.emit("Max", {columns(ctx, a, 0, 2), columns(ctx, b, 0, 2)});
    const OnnxValue high = ctx.emit("Min", {columns(ctx, a, 2, 4), columns(ctx, b, 2, 4)});
    const OnnxValue size = ctx.emit("Max", {ctx.emit("Sub", {high, low}), number(0)});
    const OnnxValue common = emit::reduce(ctx, "ReduceProd", size, {3}, false);
    const OnnxValue whole = ctx.emit("Sub", {ctx.emit("Add", {area(a), area(b)}), common});
    const OnnxValue isEmpty = ctx.emit("Equal", {whole, number(0)});
    const OnnxValue iou = ctx.emit("Where", {isEmpty, number(0), ctx.emit("Div", {common, whole})});
    return ctx.emit("Where", {emit::unsqueeze(ctx, isLabel, {1}), iou, number(-1)});
}

struct Matches {
    OnnxValue positive; ///< bool (N, A)
    OnnxValue label;    ///< int64 (N, A)
};

OnnxValue expandedLike(const NodeContext& ctx, OnnxValue x, OnnxValue first, OnnxValue second, std::int64_t axis)
{
    return emit::expand(ctx, x,
                        emit::concat(ctx, {emit::dimVector(ctx, first, 0), emit::dimVector(ctx, second, axis)}, 0));
}

/// Assigns to every label the anchor that it overlaps most, best pair first.
Matches bestPairs(const NodeContext& ctx, OnnxValue iou)
{
    const auto int64 = [&](std::int64_t value) {
        return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
    };
    const OnnxValue no = ctx.onnx.scalar(ElementType::Bool, 0);
    const OnnxValue noAnchor = expandedLike(ctx, no, iou, iou, 1);
    const OnnxValue noLabel = expandedLike(ctx, no, iou, iou, 2);
    const OnnxValue zeros = expandedLike(ctx, int64(0), iou, iou, 1);
    const OnnxValue anchorPlaces = placesAlong(ctx, iou, 1);
    const OnnxValue labelPlaces = placesAlong(ctx, iou, 2);
    const OnnxValue labelCount = emit::dimVector(ctx, iou, 2);
    const OnnxValue turns = emit::squeeze(ctx, labelCount, {0});
    const OnnxValues last = loop(ctx, turns, {noAnchor, noLabel, zeros}, [&](OnnxValue, const OnnxValues& states) {
        const OnnxValue taken =
            ctx.emit("Or", {emit::unsqueeze(ctx, states[0], {2}), emit::unsqueeze(ctx, states[1], {1})});
        const OnnxValue open = ctx.emit("Where", {taken, emit::scalarLike(ctx, iou, -1), iou});
        const OnnxValue flat = ctx.emit("Flatten", {open}, {{"axis", 1}});
        const OnnxValue best = ctx.emit("ArgMax", {flat}, {{"axis", 1}, {"keepdims", 1}});
        const OnnxValue value = emit::reduce(ctx, "ReduceMax", flat, {1}, true);
        const OnnxValue good = ctx.emit("Greater", {value, emit::scalarLike(ctx, value, 1e-6)});
        const OnnxValue anchor = ctx.emit("Div", {best, labelCount});
        const OnnxValue label = ctx.emit("Mod", {best, labelCount});
        const OnnxValue isAnchor = ctx.emit("And", {ctx.emit("Equal", {anchorPlaces, anchor}), good});
        const OnnxValue isLabel = ctx.emit("And", {ctx.emit("Equal", {labelPlaces, label}), good});
        return OnnxValues{ctx.emit("Or", {states[0], isAnchor}), ctx.emit("Or", {states[1], isLabel}),
                          ctx.emit("Where", {isAnchor, label, states[2]})};
    });
    return {last[0], last[2]};
}

/// Hard negative mining: of the anchors allowed by `may`, those with the largest error of the network, `ratio` times as
/// many as the positive ones.
OnnxValue hardNegatives(const NodeContext& ctx, OnnxValue predictions, OnnxValue positive, OnnxValue may, double ratio)
{
    const OnnxValue background =
        emit::squeeze(ctx, emit::slice(ctx, emit::softmax(ctx, predictions, 1), Ints{0}, Ints{1}, Ints{1}), {1});
    const OnnxValue bottom = emit::scalarLike(ctx, background, -std::numeric_limits<double>::infinity());
    const OnnxValue keys = ctx.emit("Where", {may, ctx.emit("Neg", {background}), bottom});
    const OnnxValue order = emit::cast(ctx, descending(ctx, keys), ElementType::Float32);
    const OnnxValue rank = descending(ctx, ctx.emit("Neg", {order}));
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, positive, ElementType::Float32), {1}, true);
    const OnnxValue wanted = ctx.emit("Floor", {ctx.emit("Mul", {count, emit::scalarLike(ctx, count, ratio)})});
    const OnnxValue isHard = ctx.emit("Less", {emit::cast(ctx, rank, ElementType::Float32), wanted});
    return ctx.emit("And", {isHard, may});
}

OnnxValue locations(const NodeContext& ctx, const Attributes& attributes, OnnxValue anchors, OnnxValue boxes)
{
    const auto given = attributes.numbers("variances");
    const std::vector<double> variances = given.empty() ? std::vector<double>{0.1, 0.1, 0.2, 0.2} : given;
    if (variances.size() != 4) {
        ctx.invalid("variances must be four numbers", "variances");
    }
    const OnnxValue from = cornersToCenter(ctx, anchors);
    const OnnxValue to = cornersToCenter(ctx, boxes);
    const OnnxValue size = columns(ctx, from, 2, 4);
    const OnnxValue shift = ctx.emit("Sub", {columns(ctx, to, 0, 2), columns(ctx, from, 0, 2)});
    const OnnxValue growth = ctx.emit("Log", {ctx.emit("Div", {columns(ctx, to, 2, 4), size})});
    const OnnxValue targets = emit::concat(ctx, {ctx.emit("Div", {shift, size}), growth}, -1);
    const Tensor by = Tensor::of<double>(ElementType::Float64, {4}, variances);
    return ctx.emit("Div", {targets, ctx.onnx.constant(by.converted(ctx.element(targets)))});
}

OnnxValues multiBoxTarget(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double threshold = attributes.number("overlap_threshold", 0.5);
    const double ratio = attributes.number("negative_mining_ratio", -1);
    const Precision precision(ctx, ctx.input(0));
    const OnnxValue anchors = precision.widen(ctx.input(0));
    const OnnxValue labels = precision.widen(ctx.input(1));
    const auto number = [&](double value) { return emit::scalarLike(ctx, labels, value); };
    if (ctx.rank(anchors) != 3 || ctx.rank(labels) != 3) {
        ctx.invalid("MultiBoxTarget requires anchors and labels of 3 dimensions");
    }
    // Labels are valid up to the first whose class is -1.
    const OnnxValue classes = emit::squeeze(ctx, columns(ctx, labels, 0, 1), {2});
    const OnnxValue isEnd = emit::cast(ctx, ctx.emit("Equal", {classes, number(-1)}), ElementType::Float32);
    const OnnxValue ends = ctx.emit("CumSum", {isEnd, ctx.onnx.scalar(ElementType::Int64, 1)});
    const OnnxValue isLabel = ctx.emit("Equal", {ends, emit::scalarLike(ctx, ends, 0)});
    const OnnxValue iou = overlaps(ctx, anchors, labels, isLabel);
    Matches matches = bestPairs(ctx, iou);
    const OnnxValue most = emit::reduce(ctx, "ReduceMax", iou, {2}, false);
    if (threshold > 0) {
        const OnnxValue nearest = ctx.emit("ArgMax", {iou}, {{"axis", 2}, {"keepdims", 0}});
        matches.label = ctx.emit("Where", {matches.positive, matches.label, nearest});
        const OnnxValue enough = ctx.emit("Greater", {most, number(threshold)});
        matches.positive = ctx.emit("Or", {matches.positive, enough});
    }
    OnnxValue negative = ctx.emit("Not", {matches.positive});
    if (ratio > 0) {
        const OnnxValue low = ctx.emit("Less", {most, number(attributes.number("negative_mining_thresh", 0.5))});
        negative = hardNegatives(ctx, precision.widen(ctx.input(2)), matches.positive, ctx.emit("And", {negative, low}),
                                 ratio);
    }
    const OnnxValue hasLabels = ctx.emit(
        "Greater", {emit::reduce(ctx, "ReduceMax", iou, {1, 2}, true), number(-1)}); // else all anchors are ignored
    negative = ctx.emit("And", {negative, emit::squeeze(ctx, hasLabels, {2})});
    const OnnxValue matched = rowsInOrder(ctx, labels, matches.label);
    const OnnxValue found = ctx.emit("Add", {emit::squeeze(ctx, columns(ctx, matched, 0, 1), {2}), number(1)});
    const OnnxValue ignored = number(attributes.number("ignore_label", -1));
    const OnnxValue target =
        ctx.emit("Where", {matches.positive, found, ctx.emit("Where", {negative, number(0), ignored})});
    const OnnxValue mark = emit::unsqueeze(ctx, matches.positive, {2});
    const OnnxValue shift =
        ctx.emit("Where", {mark, locations(ctx, attributes, anchors, columns(ctx, matched, 1, 5)), number(0)});
    const OnnxValue mask = emit::expand(ctx, mark, ctx.onnx.ints({1, 1, 4}));
    return {precision.restore(ctx.emit("Flatten", {shift}, {{"axis", 1}})),
            emit::cast(ctx, ctx.emit("Flatten", {mask}, {{"axis", 1}}), precision.type()), precision.restore(target)};
}

} // namespace

std::span<const OpRow> multiBoxTargetOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_MultiBoxTarget", multiBoxTarget, "Loop over the labels, ArgMax, TopK, Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
