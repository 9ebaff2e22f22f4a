// Losses of Keras 3 that are part of a graph.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <cmath>

namespace crosswalk::keras {
namespace {

constexpr double epsilon = 1e-7; ///< by which Keras keeps probabilities from 0 and 1

struct Compared {
    OnnxValue target;
    OnnxValue output;
};

Compared comparedOf(const Layer& layer)
{
    const Arguments arguments(layer);
    const OnnxValue output = arguments.tensor({"1", "output"});
    return {emit::cast(layer.ctx, arguments.tensor({"0", "target"}), layer.ctx.element(output)), output};
}

bool hasLogits(const Layer& layer)
{
    return Arguments(layer).boolean({"from_logits"}, false);
}

OnnxValues binaryCrossEntropy(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const auto [target, output] = comparedOf(layer);
    const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, target, 1), target});
    OnnxValue ofOne;
    OnnxValue ofZero;
    if (hasLogits(layer)) {
        const ActivationFunction logSigmoid = findActivation("log_sigmoid", 3);
        ofOne = logSigmoid(ctx, output);
        ofZero = logSigmoid(ctx, ctx.emit("Neg", {output}));
    } else {
        const OnnxValue share = emit::clip(ctx, output, epsilon, 1 - epsilon);
        ofOne = elementary::log(ctx, share);
        ofZero = elementary::log(ctx, ctx.emit("Sub", {emit::scalarLike(ctx, share, 1), share}));
    }
    const OnnxValue sum = ctx.emit("Add", {ctx.emit("Mul", {target, ofOne}), ctx.emit("Mul", {rest, ofZero})});
    return {ctx.emit("Neg", {sum})};
}

/// The logarithms of the probabilities of the classes.
OnnxValue logShares(const Layer& layer, OnnxValue output, std::int64_t axis)
{
    const NodeContext& ctx = layer.ctx;
    if (hasLogits(layer)) {
        return emit::softmax(ctx, output, axis, true);
    }
    const OnnxValue share = ctx.emit("Div", {output, emit::reduce(ctx, "ReduceSum", output, {axis}, true)});
    return elementary::log(ctx, emit::clip(ctx, share, epsilon, 1 - epsilon));
}

std::int64_t axisOf(const Layer& layer, OnnxValue output)
{
    return layer.ctx.axis(Arguments(layer).integer({"axis"}, -1), layer.ctx.rank(output));
}

OnnxValues categoricalCrossEntropy(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const auto [target, output] = comparedOf(layer);
    const std::int64_t axis = axisOf(layer, output);
    const OnnxValue products = ctx.emit("Mul", {target, logShares(layer, output, axis)});
    return {ctx.emit("Neg", {emit::reduce(ctx, "ReduceSum", products, {axis}, false)})};
}

OnnxValues sparseCategoricalCrossEntropy(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue output = arguments.tensor({"1", "output"});
    const std::int64_t axis = axisOf(layer, output);
    OnnxValue target = emit::cast(ctx, arguments.tensor({"0", "target"}, ElementType::Int64), ElementType::Int64);
    if (ctx.rank(target) == ctx.rank(output) && ctx.fixedDim(target, -1) == 1) {
        target = emit::squeeze(ctx, target, {static_cast<std::int64_t>(ctx.rank(target)) - 1});
    }
    if (ctx.rank(target) + 1 != ctx.rank(output)) {
        ctx.invalid("the target has other dimensions than the output", "target");
    }
    const OnnxValue logs = logShares(layer, output, axis);
    const OnnxValue own = ctx.emit("GatherElements", {logs, emit::unsqueeze(ctx, target, {axis})}, {{"axis", axis}});
    return {ctx.emit("Neg", {emit::squeeze(ctx, own, {axis})})};
}

/// 20 log10(max) - 10 log10(mean of the squared differences).
OnnxValues peakSignalToNoise(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = floatingOperandsOf(layer);
    const OnnxValue difference = ctx.emit("Sub", {pair.a, pair.b});
    const OnnxValue mean = emit::reduce(ctx, "ReduceMean", ctx.emit("Mul", {difference, difference}), {}, false);
    const double peak = 20 * std::log10(Arguments(layer).number({"max_val"}, 1));
    const OnnxValue noise = ctx.emit("Mul", {elementary::log10(ctx, mean), emit::scalarLike(ctx, mean, 10)});
    return {ctx.emit("Sub", {emit::scalarLike(ctx, mean, peak), noise})};
}
} // namespace

std::span<const OpRow> lossOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.BinaryCrossentropy", binaryCrossEntropy, "Log, Mul"},
        {"ops.CategoricalCrossentropy", categoricalCrossEntropy, "LogSoftmax, Mul, ReduceSum"},
        {"ops.PSNR", peakSignalToNoise, "ReduceMean, Log"},
        {"ops.SparseCategoricalCrossentropy", sparseCategoricalCrossEntropy, "LogSoftmax, GatherElements"},
    };
    return rows;
}

} // namespace crosswalk::keras
