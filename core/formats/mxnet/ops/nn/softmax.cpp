// softmax, log_softmax, softmin and the output layers that are one.

#include "core/base/half.h"
#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/precision.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

/// True for the elements along `axis` that stand before the row's length.
OnnxValue lengthMask(const NodeContext& ctx, OnnxValue x, OnnxValue lengths, std::int64_t axis)
{
    const std::size_t rank = ctx.rank(x);
    const Dim size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    OnnxValue places;
    if (size.isFixed()) {
        Ints counted(static_cast<std::size_t>(size.size));
        for (std::size_t i = 0; i < counted.size(); ++i) {
            counted[i] = static_cast<std::int64_t>(i);
        }
        places = ctx.onnx.ints(counted);
    } else {
        const OnnxValue end = emit::squeeze(ctx, emit::dimVector(ctx, x, axis), {0});
        const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
        places = ctx.emit("Range", {zero, end, ctx.onnx.scalar(ElementType::Int64, 1)});
    }
    Ints behind(rank - 1 - static_cast<std::size_t>(axis));
    for (std::size_t i = 0; i < behind.size(); ++i) {
        behind[i] = static_cast<std::int64_t>(i) + 1;
    }
    places = emit::unsqueeze(ctx, places, behind);
    const OnnxValue bound = emit::unsqueeze(ctx, emit::cast(ctx, lengths, ElementType::Int64), {axis});
    return ctx.emit("Less", {places, bound});
}

double roundedTo(ElementType type, double value)
{
    const auto single = static_cast<float>(value);
    return type == ElementType::Float16   ? static_cast<double>(halfToFloat(floatToHalf(single)))
           : type == ElementType::Float64 ? value
                                          : static_cast<double>(single);
}

OnnxValues softmaxOf(NodeContext& ctx, bool logarithm, bool negate)
{
    const Attributes attributes(ctx);
    OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(attributes.integer("axis", -1), ctx.rank(x));
    const ElementType from = ctx.element(x);
    const ElementType to = attributes.elementType("dtype", from);
    if (!isFloating(to)) {
        ctx.invalid(fmt::format("{} of {} needs a dtype that is floating", ctx.node.op, elementTypeName(from)),
                    "dtype");
    }
    const double temperature = roundedTo(from, attributes.number("temperature", 1));
    const bool wide = temperature != 1 || byteSize(to) > byteSize(from) || !isFloating(from);
    const ElementType inside = !wide                                              ? from
                               : to == ElementType::Float64 || byteSize(from) > 4 ? ElementType::Float64
                                                                                  : ElementType::Float32;
    x = emit::cast(ctx, x, inside);
    if (temperature != 1) {
        x = ctx.emit("Div", {x, emit::scalarLike(ctx, x, negate ? -temperature : temperature)});
    } else if (negate) {
        x = ctx.emit("Neg", {x});
    }
    OnnxValue mask;
    if (attributes.boolean("use_length", false)) {
        mask = lengthMask(ctx, x, ctx.input(1), axis);
        const double lowest = -std::numeric_limits<double>::infinity();
        x = ctx.emit("Where", {mask, x, emit::scalarLike(ctx, x, lowest)});
    }
    OnnxValue y = emit::softmax(ctx, x, axis, logarithm);
    if (mask) { // zero beyond the length, for the logarithm too
        y = ctx.emit("Where", {mask, y, emit::scalarLike(ctx, y, 0)});
    }
    return {emit::cast(ctx, y, to)};
}

OnnxValues softmax(NodeContext& ctx)
{
    return softmaxOf(ctx, false, false);
}

OnnxValues logSoftmax(NodeContext& ctx)
{
    return softmaxOf(ctx, true, false);
}

OnnxValues softmin(NodeContext& ctx)
{
    return softmaxOf(ctx, false, true);
}

OnnxValues softmaxActivation(NodeContext& ctx)
{
    const std::string mode = Attributes(ctx).choice("mode", {"instance", "channel"}, "instance");
    return {emit::softmax(ctx, ctx.input(0), mode == "channel" ? 1 : -1)};
}

/// Over all axes but the first together.
OnnxValue softmaxOfRest(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.onnx.opset() < 13) { // where Softmax flattens everything from the axis on
        return ctx.emit("Softmax", {x}, {{"axis", 1}});
    }
    const OnnxValue flat = ctx.emit("Softmax", {ctx.emit("Flatten", {x}, {{"axis", 1}})}, {{"axis", 1}});
    const OnnxValue y = emit::reshape(ctx, flat, emit::shapeVector(ctx, x));
    ctx.onnx.refine(y, ctx.shape(x));
    return y;
}

/// The label, where it is there, is for training.
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
                 "SoftmaxOutput of 4 dimensions is taken over the last axis, as MXNet's oneDNN builds have it; builds "
                 "without oneDNN take all axes but the first together",
                 "preserve_shape");
        return {emit::softmax(ctx, x, -1)};
    }
    return {softmaxOfRest(ctx, x)};
}

OnnxValues softmaxCrossEntropy(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 2) {
        ctx.invalid("softmax_cross_entropy takes data of 2 dimensions");
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

constexpr OpRow rows[] = {
    {"SoftmaxActivation", softmaxActivation, "Softmax"},
    {"SoftmaxOutput", softmaxOutput, "Softmax", Support::Exact,
     "the label is dropped; float32 of 4 dimensions as oneDNN builds have it, over the last axis"},
    {"log_softmax", logSoftmax, "LogSoftmax"},
    {"softmax", softmax, "Softmax"},
    {"softmax_cross_entropy", softmaxCrossEntropy, "Softmax, GatherElements, Log, ReduceSum"},
    {"softmin", softmin, "Neg, Softmax"},
};

} // namespace

std::span<const OpRow> softmaxOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
