// Cross entropies of logits. Their second output is the gradient.

#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

OnnxValues crossEntropy(NodeContext& ctx)
{
    const ElementType own = ctx.element(ctx.input(0));
    const OnnxValue labels = emit::cast(ctx, ctx.input(1), widened(own));
    OnnxValue logits = emit::cast(ctx, ctx.input(0), widened(own));
    if (ctx.shape(logits).back() != ctx.shape(labels).back()) { // the softmax is that of the common shape
        logits = emit::expand(ctx, logits, emit::shapeVector(ctx, labels));
    }
    const OnnxValue products = ctx.emit("Mul", {labels, emit::softmax(ctx, logits, -1, true)});
    const OnnxValue loss = ctx.emit("Neg", {emit::reduce(ctx, "ReduceSum", products, {1}, false)});
    const OnnxValue gradient = ctx.emit("Sub", {emit::softmax(ctx, logits, -1), labels});
    return {emit::cast(ctx, loss, own), emit::cast(ctx, gradient, own)};
}

/// The labels are indices.
OnnxValues sparseCrossEntropy(NodeContext& ctx)
{
    const ElementType own = ctx.element(ctx.input(0));
    const OnnxValue logits = emit::cast(ctx, ctx.input(0), widened(own));
    const OnnxValue labels = emit::unsqueeze(ctx, asInt64(ctx, ctx.input(1)), {1});
    const OnnxValue logarithms = emit::softmax(ctx, logits, -1, true);
    const OnnxValue picked = ctx.emit("GatherElements", {logarithms, labels}, {{"axis", 1}});
    const OnnxValue loss = ctx.emit("Neg", {emit::squeeze(ctx, picked, {1})});
    const OnnxValue isLabel = ctx.emit("Equal", {labels, countTo(ctx, emit::dimVector(ctx, logits, 1))});
    const OnnxValue truth = emit::cast(ctx, isLabel, ctx.element(logits));
    const OnnxValue gradient = ctx.emit("Sub", {emit::softmax(ctx, logits, -1), truth});
    return {emit::cast(ctx, loss, own), emit::cast(ctx, gradient, own)};
}

} // namespace

std::span<const OpRow> lossOps()
{
    static constexpr OpRow rows[] = {
        {"SoftmaxCrossEntropyWithLogits", crossEntropy, "LogSoftmax, Mul, ReduceSum"},
        {"SparseSoftmaxCrossEntropyWithLogits", sparseCrossEntropy, "LogSoftmax, GatherElements"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
