// Activation functions and Softmax.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/nn/layers.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

bool isDouble(const NodeContext& ctx, OnnxValue x)
{
    return ctx.element(x) == ElementType::Float64;
}

/// x if positive, else the result of `negative`; `op` computes both, but not in double.
template <typename Negative>
OnnxValue bySign(const NodeContext& ctx, std::string_view op, OnnxValue x, const OnnxAttributes& attributes,
                 Negative negative)
{
    return computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue v) {
        if (!isDouble(ctx, v)) {
            return ctx.emit(op, {v}, attributes);
        }
        return ctx.emit("Where", {ctx.emit("Greater", {v, emit::scalarLike(ctx, v, 0)}), v, negative(v)});
    });
}

} // namespace

OnnxValue reluOf(const NodeContext& ctx, OnnxValue x)
{
    if (!isFloating(ctx.element(x))) {
        return arithmetic::maximum(ctx, x, emit::scalarLike(ctx, x, 0));
    }
    return computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue v) { return ctx.emit("Relu", {v}); });
}

OnnxValue relu6Of(const NodeContext& ctx, OnnxValue x)
{
    const ElementType own = ctx.element(x);
    if (isWideInteger(own)) {
        const OnnxValue least = arithmetic::maximum(ctx, x, emit::scalarLike(ctx, x, 0));
        return arithmetic::minimum(ctx, least, emit::scalarLike(ctx, x, 6));
    }
    return computedAs(ctx, widened(own), x, [&](OnnxValue v) { return emit::clip(ctx, v, 0, 6); });
}

OnnxValue eluOf(const NodeContext& ctx, OnnxValue x)
{
    return bySign(ctx, "Elu", x, {}, [&](OnnxValue v) { return elementary::expMinusOne(ctx, v); });
}

OnnxValue leakyReluOf(const NodeContext& ctx, OnnxValue x, double alpha)
{
    return bySign(ctx, "LeakyRelu", x, {{"alpha", alpha}}, [&](OnnxValue v) {
        return ctx.emit("Mul", {v, emit::scalarLike(ctx, v, alpha)});
    });
}

namespace {

OnnxValues relu(NodeContext& ctx)
{
    return {reluOf(ctx, ctx.input(0))};
}

OnnxValues relu6(NodeContext& ctx)
{
    return {relu6Of(ctx, ctx.input(0))};
}

OnnxValues elu(NodeContext& ctx)
{
    return {eluOf(ctx, ctx.input(0))};
}

OnnxValues leakyRelu(NodeContext& ctx)
{
    return {leakyReluOf(ctx, ctx.input(0), Settings(ctx).number("alpha"))};
}

OnnxValues selu(NodeContext& ctx)
{
    constexpr double scale = 1.0507009873554805;
    constexpr double alpha = 1.6732632423543772;
    const OnnxValue x = ctx.input(0);
    if (!isDouble(ctx, x)) {
        return {bySign(ctx, "Selu", x, {}, [](OnnxValue value) { return value; })};
    }
    const OnnxValue below = ctx.emit("Mul", {elementary::expMinusOne(ctx, x), emit::scalarLike(ctx, x, alpha)});
    const OnnxValue isAbove = ctx.emit("Greater", {x, emit::scalarLike(ctx, x, 0)});
    return {ctx.emit("Mul", {ctx.emit("Where", {isAbove, x, below}), emit::scalarLike(ctx, x, scale)})};
}

OnnxValues softplus(NodeContext& ctx)
{
    return {elementary::softplus(ctx, ctx.input(0))};
}

OnnxValues softsign(NodeContext& ctx)
{
    return {elementary::softsign(ctx, ctx.input(0))};
}

OnnxValues softmaxOf(NodeContext& ctx, bool logarithm)
{
    const OnnxValue x = ctx.input(0);
    if (logarithm && isDouble(ctx, x)) {
        // ONNX Runtime's LogSoftmax of doubles has no NaN beside +infinity.
        const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
        const OnnxValue shifted = ctx.emit("Sub", {x, emit::reduce(ctx, "ReduceMax", x, {last}, true)});
        const OnnxValue sum = emit::reduce(ctx, "ReduceSum", ctx.emit("Exp", {shifted}), {last}, true);
        return {ctx.emit("Sub", {shifted, ctx.emit("Log", {sum})})};
    }
    return {
        computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue v) { return emit::softmax(ctx, v, -1, logarithm); })};
}

OnnxValues softmax(NodeContext& ctx)
{
    return softmaxOf(ctx, false);
}

OnnxValues logSoftmax(NodeContext& ctx)
{
    return softmaxOf(ctx, true);
}

} // namespace

std::span<const OpRow> activationOps()
{
    static constexpr OpRow rows[] = {
        {"Elu", elu, "Elu"},
        {"LeakyRelu", leakyRelu, "LeakyRelu"},
        {"LogSoftmax", logSoftmax, "LogSoftmax, or ReduceMax, Exp, Log"},
        {"Relu", relu, "Relu"},
        {"Relu6", relu6, "Clip, or Max, Min"},
        {"Selu", selu, "Selu"},
        {"Softmax", softmax, "Softmax"},
        {"Softplus", softplus, "Softplus"},
        {"Softsign", softsign, "Softsign"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
