#include "core/convert/forms/recurrent_activation.h"

#include "core/convert/emit.h"

namespace crosswalk::forms {
namespace {

OnnxValue with(const NodeContext& ctx, std::string_view op, OnnxValue x, double number)
{
    return ctx.emit(op, {x, emit::scalarLike(ctx, x, number)});
}

OnnxValue scaled(const NodeContext& ctx, OnnxValue x, double factor)
{
    return factor == 1 ? x : with(ctx, "Mul", x, factor);
}

/// alpha x + beta.
OnnxValue affine(const NodeContext& ctx, OnnxValue x, double alpha, double beta)
{
    const OnnxValue y = scaled(ctx, x, alpha);
    return beta == 0 ? y : with(ctx, "Add", y, beta);
}

/// The functions that ONNX Runtime's CPU has in single precision only.
OnnxValue inDouble(const NodeContext& ctx, std::string_view name, OnnxValue x, double alpha, double beta)
{
    if (name == "HardSigmoid") {
        return emit::clip(ctx, affine(ctx, x, alpha, beta), 0.0, 1.0);
    }
    if (name == "Softsign") {
        return ctx.emit("Div", {x, with(ctx, "Add", ctx.emit("Abs", {x}), 1)});
    }
    if (name == "Softplus") { // max(x, 0) + ln(1 + e^-|x|): no overflow
        const OnnxValue decay = ctx.emit("Exp", {ctx.emit("Neg", {ctx.emit("Abs", {x})})});
        return ctx.emit("Add", {ctx.emit("Relu", {x}), ctx.emit("Log", {with(ctx, "Add", decay, 1)})});
    }
    if (name == "ThresholdedRelu") {
        return ctx.emit("Where", {with(ctx, "Greater", x, alpha), x, emit::scalarLike(ctx, x, 0)});
    }
    const OnnxValue below =
        name == "Elu" ? scaled(ctx, with(ctx, "Sub", ctx.emit("Exp", {x}), 1), alpha) : scaled(ctx, x, alpha);
    return ctx.emit("Where", {with(ctx, "Less", x, 0), below, x}); // Elu, LeakyRelu
}

} // namespace

OnnxValue RecurrentActivation::apply(const NodeContext& ctx, OnnxValue x) const
{
    if (custom != nullptr) {
        return custom(ctx, x);
    }
    if (name == "Affine") { // an activation only: ONNX removed the operator
        return affine(ctx, x, alpha.value_or(1.0F), beta.value_or(0.0F));
    }
    if (name == "ScaledTanh") {
        return scaled(ctx, ctx.emit("Tanh", {scaled(ctx, x, beta.value_or(1.0F))}), alpha.value_or(1.0F));
    }
    const bool isPlain = name == "Sigmoid" || name == "Tanh" || name == "Relu";
    if (ctx.element(x) == ElementType::Float64 && !isPlain) {
        return inDouble(ctx, name, x, alpha.value_or(0.0F), beta.value_or(0.0F));
    }
    OnnxAttributes attributes;
    if (alpha) {
        attributes.emplace_back("alpha", *alpha);
    }
    if (beta) {
        attributes.emplace_back("beta", *beta);
    }
    return ctx.emit(name, {x}, attributes);
}

} // namespace crosswalk::forms
