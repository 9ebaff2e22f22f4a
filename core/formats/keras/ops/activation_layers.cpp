// Activation and the layers that are activation functions with settings or weights.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/version.h"

#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

OnnxValues activationLayer(const Layer& layer)
{
    return {activated(layer, layer.input(0))};
}

/// A number that Keras requires to be at least 0.
double notNegative(const Layer& layer, const char* setting, double otherwise)
{
    const double number = layer.settings.number(setting, otherwise);
    if (!(number >= 0)) {
        layer.ctx.invalid(fmt::format("{} is {}, but must be at least 0", setting, number), setting);
    }
    return number;
}

OnnxValues reluLayer(const Layer& layer)
{
    const auto limit =
        layer.settings.has("max_value") ? std::optional(notNegative(layer, "max_value", 0)) : std::nullopt;
    const double slope = notNegative(layer, "negative_slope", 0);
    const double threshold = notNegative(layer, "threshold", 0);
    OnnxValue x = layer.input(0);
    const ElementType type = layer.ctx.element(x);
    const bool isPlain = slope == 0 && threshold == 0 && !limit;
    if (isPlain && (type == ElementType::UInt8 || type == ElementType::UInt16)) {
        return {x};
    }
    const bool isInteger = type == ElementType::Int32 || type == ElementType::Int64;
    if (layer.major() >= 3 && (isPlain ? type == ElementType::Bool : isInteger)) {
        x = emit::cast(layer.ctx, x, isPlain ? ElementType::Int32 : ElementType::Float32);
    }
    return {generalRelu(layer.ctx, x, slope, threshold, limit)};
}

OnnxValues leakyReluLayer(const Layer& layer)
{
    const char* const setting = layer.settings.has("negative_slope") ? "negative_slope" : "alpha";
    const double slope = layer.major() >= 3 ? notNegative(layer, setting, 0.3) : layer.settings.number(setting, 0.3);
    return {leakyRelu(layer.ctx, layer.input(0), slope)};
}

OnnxValues eluLayer(const Layer& layer)
{
    return {eluOf(layer.ctx, layer.input(0), layer.settings.number("alpha", 1))};
}

OnnxValues thresholdedRelu(const Layer& layer)
{
    const OnnxValue x = layer.input(0);
    const OnnxValue isAbove =
        layer.ctx.emit("Greater", {x, emit::scalarLike(layer.ctx, x, layer.settings.number("theta", 1))});
    return {layer.ctx.emit("Where", {isAbove, x, emit::scalarLike(layer.ctx, x, 0)})};
}

/// The shape of a weight with an element for each of a sample, but 1 on shared axes.
Shape weightShape(const Layer& layer)
{
    const Shape& x = layer.ctx.shape(layer.input(0));
    if (x.empty()) {
        layer.ctx.invalid("its input is a single number");
    }
    Shape shape(x.iteratorAt(1), x.end());
    for (const std::int64_t axis : layer.settings.ints("shared_axes", {})) { // counts the batch axis, too
        shape[static_cast<std::size_t>(layer.ctx.axis(axis - 1, shape.size()))] = Dim(1);
    }
    return shape;
}

OnnxValues prelu(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const OnnxValue slope = layer.weight("alpha", weightShape(layer));
    if (ctx.element(x) != ElementType::Float64) {
        return {ctx.emit("PRelu", {x, slope})};
    }
    const OnnxValue isAbove = ctx.emit("Greater", {x, emit::scalarLike(ctx, x, 0)});
    return {ctx.emit("Where", {isAbove, x, ctx.emit("Mul", {x, slope})})};
}

/// Keras 1: straight between two thresholds, with slopes of their own beyond them. The upper threshold is relative to
/// the lower one.
OnnxValues srelu(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const auto weight = [&, shape = weightShape(layer)](const char* name) { return layer.weight(name, shape); };
    const OnnxValue low = weight("t_left");
    const OnnxValue high = ctx.emit("Add", {low, ctx.emit("Abs", {weight("t_right")})});
    const auto beyond = [&](OnnxValue threshold, const char* slope) {
        return ctx.emit("Add", {threshold, ctx.emit("Mul", {weight(slope), ctx.emit("Sub", {x, threshold})})});
    };
    const OnnxValue below = beyond(low, "a_left");
    const OnnxValue above = beyond(high, "a_right");
    const OnnxValue isBelow = ctx.emit("Less", {x, low});
    const OnnxValue isInside = ctx.emit("Less", {x, high});
    return {ctx.emit("Where", {isBelow, below, ctx.emit("Where", {isInside, x, above})})};
}

OnnxValues parametricSoftplus(const Layer& layer)
{
    const Shape shape = weightShape(layer);
    const OnnxValue inner = layer.ctx.emit("Mul", {layer.weight("beta", shape), layer.input(0)});
    return {layer.ctx.emit("Mul", {layer.weight("alpha", shape), findActivation("softplus", 1)(layer.ctx, inner)})};
}

/// The mask of a softmax: an argument, or that of the tensor.
OnnxValue softmaxMask(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    if (const OnnxValue given = layer.named("mask")) {
        return given;
    }
    if (layer.inputCount() > 1) {
        return layer.input(1);
    }
    const OnnxValue mask = layer.mask();
    if (mask && ctx.rank(mask) != ctx.rank(layer.input(0))) {
        layer.refuse(fmt::format("a mask of {} dimensions for data of {}", ctx.rank(mask), ctx.rank(layer.input(0))),
                     "mask");
    }
    return mask;
}

/// x with a large negative number where it is masked. A mask of numbers scales the number that is added, or since
/// Keras 3.10 takes what is greater than 0.5.
OnnxValue masked(const Layer& layer, OnnxValue x, OnnxValue mask)
{
    const NodeContext& ctx = layer.ctx;
    const bool isHalf = ctx.element(x) == ElementType::Float16;
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    if (ctx.element(mask) != ElementType::Bool) {
        const double large = !isHalf ? -1e9 : layer.major() >= 3 ? -3e4 : -32752;
        const OnnxValue rest = ctx.emit("Sub", {number(1), emit::cast(ctx, mask, ctx.element(x))});
        return ctx.emit("Add", {x, ctx.emit("Mul", {rest, number(large)})});
    }
    const OnnxValue large = number(isHalf ? -3e4 : -1e9);
    // Keras 2 adds the number. In half precision nothing is left of x then, but ONNX Runtime adds in single.
    if (layer.major() >= 3 || isHalf) {
        return ctx.emit("Where", {mask, x, large});
    }
    return ctx.emit("Add", {x, ctx.emit("Where", {mask, number(0), large})});
}

OnnxValues softmaxLayer(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    Ints axes = layer.settings.ints("axis", {-1});
    for (std::int64_t& axis : axes) {
        axis = ctx.axis(axis, ctx.rank(x));
    }
    OnnxValue mask = softmaxMask(layer);
    if (!mask) {
        return {softmaxOver(ctx, x, axes)};
    }
    const bool isZeroed = zeroesMaskedSoftmax(ctx.graph);
    if (isZeroed && ctx.element(mask) != ElementType::Bool) {
        const bool hasParts = isFloating(ctx.element(mask));
        mask = arithmetic::greater(ctx, mask, emit::scalarLike(ctx, mask, hasParts ? 0.5 : 0));
    }
    const OnnxValue y = softmaxOver(ctx, masked(layer, x, mask), axes);
    return {isZeroed ? ctx.emit("Where", {mask, y, emit::scalarLike(ctx, y, 0)}) : y};
}

} // namespace

std::span<const OpRow> activationLayers()
{
    static constexpr OpRow rows[] = {
        {"Activation", activationLayer, "Relu, Sigmoid, Tanh..."},
        {"ELU", eluLayer, "Elu"},
        {"LeakyReLU", leakyReluLayer, "LeakyRelu"},
        {"PReLU", prelu, "PRelu"},
        {"ParametricSoftplus", parametricSoftplus, "Mul, Softplus"},
        {"ReLU", reluLayer, "Relu, Clip"},
        {"SReLU", srelu, "Where"},
        {"Softmax", softmaxLayer, "Softmax"},
        {"ThresholdedReLU", thresholdedRelu, "Where"},
    };
    return rows;
}

} // namespace crosswalk::keras
