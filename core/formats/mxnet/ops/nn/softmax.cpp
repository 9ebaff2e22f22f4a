// softmax, log_softmax, softmin and the softmax output layers.

#include "core/convert/forms/nn/softmax.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValues softmaxOf(NodeContext& ctx, Softmax how)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    how.axis = ctx.axis(attributes.integer("axis", -1), ctx.rank(x));
    how.type = attributes.elementType("dtype", ctx.element(x));
    if (!isFloating(how.type)) {
        ctx.invalid(
            fmt::format("{} of {} requires a floating-point dtype", ctx.node.op, elementTypeName(ctx.element(x))),
            "dtype");
    }
    how.temperature = attributes.number("temperature", 1);
    if (attributes.boolean("use_length", false)) {
        how.lengths = ctx.input(1);
    }
    return {forms::softmax(ctx, x, how)};
}

OnnxValues softmax(NodeContext& ctx)
{
    return softmaxOf(ctx, {});
}

OnnxValues logSoftmax(NodeContext& ctx)
{
    return softmaxOf(ctx, {.logarithm = true});
}

OnnxValues softmin(NodeContext& ctx)
{
    return softmaxOf(ctx, {.negate = true});
}

OnnxValues softmaxActivation(NodeContext& ctx)
{
    const std::string mode = Attributes(ctx).choice("mode", {"instance", "channel"}, "instance");
    return {emit::softmax(ctx, ctx.input(0), mode == "channel" ? 1 : -1)};
}

/// The label, if present, is for training.
OnnxValues softmaxOutput(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    if (attributes.boolean("multi_output", false)) {
        return {emit::softmax(ctx, x, 1)};
    }
    if (attributes.boolean("preserve_shape", false) || ctx.rank(x) <= 2) {
        return {emit::softmax(ctx, x, -1)};
    }
    if (ctx.rank(x) == 4 && ctx.element(x) == ElementType::Float32) {
        ctx.note("backend-dependent",
                 "SoftmaxOutput of 4 dimensions normalizes over the last axis, as in MXNet's oneDNN builds; builds "
                 "without oneDNN normalize over all axes but the first",
                 "preserve_shape");
        return {emit::softmax(ctx, x, -1)};
    }
    return {softmaxOfRest(ctx, x)};
}

OnnxValues softmaxCrossEntropy(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 2) {
        ctx.invalid("softmax_cross_entropy requires data of 2 dimensions");
    }
    const Precision precision(ctx, x);
    const OnnxValue probabilities = emit::softmax(ctx, precision.widen(x), -1);
    const OnnxValue label = emit::unsqueeze(ctx, emit::cast(ctx, ctx.input(1), ElementType::Int64), {1});
    const OnnxValue picked = ctx.emit("GatherElements", {probabilities, label}, {{"axis", 1}});
    const OnnxValue floor = ctx.emit("Max", {picked, emit::scalarLike(ctx, picked, 1e-8)});
    const OnnxValue losses = ctx.emit("Neg", {ctx.emit("Log", {floor})});
    const OnnxValue total = emit::reduce(ctx, "ReduceSum", losses, {0, 1}, false);
    return {precision.restore(emit::unsqueeze(ctx, total, {0}))};
}

} // namespace

std::span<const OpRow> softmaxOps()
{
    static constexpr OpRow rows[] = {
        {"SoftmaxActivation", softmaxActivation, "Softmax"},
        {"SoftmaxOutput", softmaxOutput, "Softmax", Support::Exact,
         "the label is dropped; float32 of 4 dimensions normalizes over the last axis, as in oneDNN builds"},
        {"log_softmax", logSoftmax, "LogSoftmax"},
        {"softmax", softmax, "Softmax"},
        {"softmax_cross_entropy", softmaxCrossEntropy, "Softmax, GatherElements, Log, ReduceSum"},
        {"softmin", softmin, "Neg, Softmax"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
