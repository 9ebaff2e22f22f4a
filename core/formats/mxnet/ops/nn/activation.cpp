// Activation, LeakyReLU and the standalone activation operators.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

// ONNX Runtime has most of ONNX's activations in single precision only; in double precision they are composed.
bool isDouble(const NodeContext& ctx, OnnxValue x)
{
    return ctx.element(x) == ElementType::Float64;
}

OnnxValue one(const NodeContext& ctx, OnnxValue x)
{
    return emit::scalarLike(ctx, x, 1);
}

OnnxValue softsign(const NodeContext& ctx, OnnxValue x)
{
    if (!isDouble(ctx, x)) {
        return ctx.emit("Softsign", {x});
    }
    return ctx.emit("Div", {x, ctx.emit("Add", {ctx.emit("Abs", {x}), one(ctx, x)})});
}

OnnxValues activation(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::string type =
        Attributes(ctx).choice("act_type", {"relu", "sigmoid", "tanh", "softrelu", "softsign"}, "");
    if (type == "softrelu") {
        return {elementary::softplus(ctx, x)};
    }
    if (type == "softsign") {
        return {softsign(ctx, x)};
    }
    return {ctx.emit(type == "relu" ? "Relu" : type == "sigmoid" ? "Sigmoid" : "Tanh", {x})};
}

/// x if positive, else `otherwise`.
OnnxValue positiveOr(const NodeContext& ctx, OnnxValue x, OnnxValue otherwise)
{
    return ctx.emit("Where", {ctx.emit("Greater", {x, emit::scalarLike(ctx, x, 0)}), x, otherwise});
}

OnnxValue leaky(const NodeContext& ctx, OnnxValue x, double slope)
{
    if (!isDouble(ctx, x)) {
        return ctx.emit("LeakyRelu", {x}, {{"alpha", slope}});
    }
    return positiveOr(ctx, x, ctx.emit("Mul", {x, emit::scalarLike(ctx, x, slope)}));
}

/// scale * (x if positive, else alpha * (exp(x) - 1)).
OnnxValue exponential(const NodeContext& ctx, OnnxValue x, double alpha, double scale)
{
    const OnnxValue curve = ctx.emit("Sub", {ctx.emit("Exp", {x}), one(ctx, x)});
    const OnnxValue y = positiveOr(ctx, x, ctx.emit("Mul", {curve, emit::scalarLike(ctx, x, alpha)}));
    return scale == 1 ? y : ctx.emit("Mul", {y, emit::scalarLike(ctx, x, scale)});
}

/// Gamma as MXNet aligns it with the data: from its last dimension, to axis 1 and then to axis 0.
OnnxValue preluSlope(const NodeContext& ctx, OnnxValue x, OnnxValue gamma)
{
    const Shape& data = ctx.shape(x);
    const Shape& given = ctx.shape(gamma);
    Ints dims(data.size(), 1);
    std::size_t left = given.size();
    for (std::size_t i = std::min<std::size_t>(data.size(), 2); i-- > 0 && left > 0;) {
        const Dim& size = given[left - 1];
        if (size == data[i] || !data[i].isFixed() || (size.isFixed() && size.size == 1)) {
            dims[i] = size.isFixed() ? size.size : -1;
            --left;
        }
    }
    if (left > 0) {
        ctx.invalid(fmt::format("gamma of shape {} does not fit data of shape {}", toString(given), toString(data)));
    }
    return emit::reshape(ctx, gamma, dims);
}

OnnxValue prelu(const NodeContext& ctx, OnnxValue x, OnnxValue gamma)
{
    const OnnxValue slope = emit::cast(ctx, preluSlope(ctx, x, gamma), ctx.element(x));
    if (!isDouble(ctx, x)) {
        return ctx.emit("PRelu", {x, slope});
    }
    return positiveOr(ctx, x, ctx.emit("Mul", {x, slope}));
}

OnnxValues leakyRelu(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::string type = attributes.choice("act_type", {"rrelu", "leaky", "prelu", "elu", "selu", "gelu"}, "leaky");
    if (type == "leaky") {
        return {leaky(ctx, x, attributes.number("slope", 0.25))};
    }
    if (type == "rrelu") { // inference uses the mean of the bounds; only training uses the other output
        const double low = attributes.number("lower_bound", 0.125);
        return {leaky(ctx, x, (low + attributes.number("upper_bound", 0.334)) / 2)};
    }
    if (type == "prelu") {
        return {prelu(ctx, x, ctx.input(1))};
    }
    if (type == "elu") {
        const double slope = attributes.number("slope", 0.25);
        return {isDouble(ctx, x) ? exponential(ctx, x, slope, 1) : ctx.emit("Elu", {x}, {{"alpha", slope}})};
    }
    if (type == "selu") {
        constexpr double alpha = 1.6732632423543772848170429916717;
        constexpr double scale = 1.0507009873554804934193349852946;
        return {isDouble(ctx, x) ? exponential(ctx, x, alpha, scale) : ctx.emit("Selu", {x})};
    }
    return {forms::gelu(ctx, x)};
}

OnnxValues hardSigmoid(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double alpha = attributes.number("alpha", 0.2);
    const double beta = attributes.number("beta", 0.5);
    const OnnxValue x = ctx.input(0);
    if (!isDouble(ctx, x)) {
        return {ctx.emit("HardSigmoid", {x}, {{"alpha", alpha}, {"beta", beta}})};
    }
    const OnnxValue slope = ctx.emit("Mul", {x, emit::scalarLike(ctx, x, alpha)});
    const OnnxValue line = ctx.emit("Add", {slope, emit::scalarLike(ctx, x, beta)});
    const OnnxValue floor = ctx.emit("Max", {line, emit::scalarLike(ctx, x, 0)});
    return {ctx.emit("Min", {floor, one(ctx, x)})};
}

} // namespace

std::span<const OpRow> activationOps()
{
    static constexpr OpRow rows[] = {
        {"Activation", activation, "Relu, Sigmoid, Tanh, Softplus or Softsign"},
        {"LeakyReLU", leakyRelu, "LeakyRelu, PRelu, Elu, Selu or Gelu"},
        {"hard_sigmoid", hardSigmoid, "HardSigmoid"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
