// CTCGreedyDecoder: the best class of each step, without blanks and, on demand, repetitions.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

/// Logits (time, batch, classes) and lengths. Results: the labels as a sparse tensor (indices, values, shape), and
/// minus the sum of the best logits.
OnnxValues greedyDecoder(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue logits = emit::transpose(ctx, ctx.input(0), {1, 0, 2}); // (batch, time, classes)
    const auto number = [&](std::int64_t value) {
        return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
    };
    const OnnxValue labels = ctx.emit("ArgMax", {logits}, {{"axis", 2}, {"keepdims", 0}});
    const OnnxValue lengths = emit::unsqueeze(ctx, asInt64(ctx, ctx.input(1)), {1});
    const OnnxValue places = countTo(ctx, emit::dimVector(ctx, logits, 1));
    const OnnxValue isInside = ctx.emit("Less", {places, lengths});
    // TensorFlow 2.6 introduced attribute blank_index; before, and by default, the last class is the blank.
    const std::int64_t blank = settings.has("blank_index") ? settings.integer("blank_index") : -1;
    const OnnxValue classes = scalarOf(ctx, emit::dimVector(ctx, logits, 2));
    const OnnxValue blankLabel = blank < 0 ? ctx.emit("Add", {classes, number(blank)}) : number(blank);
    OnnxValue isKept = ctx.emit("And", {isInside, ctx.emit("Not", {ctx.emit("Equal", {labels, blankLabel})})});
    if (settings.boolean("merge_repeated")) {
        const OnnxValue shifted = emit::slice(ctx, labels, Ints{0}, Ints{-1}, Ints{1});
        const OnnxValue none = filledTo(ctx, ElementType::Int64, -1,
                                        emit::concat(ctx, {emit::dimVector(ctx, logits, 0), ctx.onnx.ints({1})}, 0));
        const OnnxValue before = emit::concat(ctx, {none, shifted}, 1);
        isKept = ctx.emit("And", {isKept, ctx.emit("Not", {ctx.emit("Equal", {labels, before})})});
    }
    const OnnxValue found = emit::transpose(ctx, ctx.emit("NonZero", {isKept}), {1, 0}); // (labels, 2)
    const OnnxValue values = ctx.emit("GatherND", {labels, found});
    const OnnxValue kept = emit::cast(ctx, isKept, ElementType::Int64);
    const OnnxValue ordinal =
        ctx.emit("Sub", {ctx.emit("CumSum", {kept, ctx.onnx.scalar(ElementType::Int64, 1)}), number(1)});
    const OnnxValue column = emit::unsqueeze(ctx, ctx.emit("GatherND", {ordinal, found}), {1});
    const OnnxValue indices = emit::concat(ctx, {emit::slice(ctx, found, Ints{0}, Ints{1}, Ints{1}), column}, 1);
    const OnnxValue counts = emit::reduce(ctx, "ReduceSum", kept, {1}, false);
    const OnnxValue shape =
        emit::concat(ctx, {emit::dimVector(ctx, logits, 0), emit::reduce(ctx, "ReduceMax", counts, {0}, true)}, 0);
    const OnnxValue best = emit::reduce(ctx, "ReduceMax", logits, {2}, false);
    const OnnxValue inside = choose(ctx, isInside, best, emit::scalarLike(ctx, best, 0));
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", inside, {1}, true);
    return {indices, values, shape, ctx.emit("Neg", {sum})};
}

} // namespace

std::span<const OpRow> ctcOps()
{
    static constexpr OpRow rows[] = {
        {"CTCGreedyDecoder", greedyDecoder, "ArgMax, NonZero, GatherND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
