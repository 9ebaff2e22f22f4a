// Activation functions.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"
#include "core/graph/attributes.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;

OnnxValue times(const NodeContext& ctx, OnnxValue x, double factor)
{
    return factor == 1 ? x : arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, factor));
}

OnnxValue plus(const NodeContext& ctx, OnnxValue x, double summand)
{
    return summand == 0 ? x : arithmetic::add(ctx, x, emit::scalarLike(ctx, x, summand));
}

OnnxValues relu(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {ctx.element(x) == ElementType::Float32 ? ctx.emit("Relu", {x}) : emit::clip(ctx, x, 0.0, std::nullopt)};
}

OnnxValues relu6(NodeContext& ctx)
{
    return {emit::clip(ctx, selfOf(ctx), 0.0, 6.0)};
}

/// x, times a slope below 0: of doubles, for which ONNX Runtime has LeakyRelu and PRelu only at opsets 16 to 18.
OnnxValue slopedBelow(const NodeContext& ctx, OnnxValue x, OnnxValue slope)
{
    const OnnxValue isBelow = ctx.emit("Less", {x, emit::scalarLike(ctx, x, 0)});
    return ctx.emit("Where", {isBelow, ctx.emit("Mul", {x, slope}), x});
}

bool lacksSlopes(const NodeContext& ctx, OnnxValue x)
{
    return ctx.element(x) == ElementType::Float64;
}

OnnxValue leakyReluOf(const NodeContext& ctx, OnnxValue x, double slope)
{
    return lacksSlopes(ctx, x) ? slopedBelow(ctx, x, emit::scalarLike(ctx, x, slope))
                               : ctx.emit("LeakyRelu", {x}, {{"alpha", slope}});
}

OnnxValues leakyRelu(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {leakyReluOf(ctx, selfOf(ctx), arguments.number("negative_slope", 0.01))};
}

/// With the mean of the slopes that training draws from.
OnnxValues meanLeakyRelu(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (arguments.truth("training")) {
        ctx.refuse("the model was saved in training mode, in which slopes are random", "training",
                   "call model.eval() before saving");
    }
    const OnnxValue x = arguments.tensor("self");
    const double slope = (arguments.number("lower", 1.0 / 8) + arguments.number("upper", 1.0 / 3)) / 2;
    const ElementType type = forms::widened(ctx.element(x));
    return {forms::computedAs(ctx, type, x, [&](OnnxValue wide) { return leakyReluOf(ctx, wide, slope); })};
}

/// The same with the noise, which evaluation leaves as it is.
OnnxValues meanLeakyReluAndNoise(NodeContext& ctx)
{
    OnnxValues results = meanLeakyRelu(ctx);
    results.push_back(Arguments(ctx).tensor("noise"));
    return results;
}

/// The weight has one number per channel, on axis 1, or one for all.
OnnxValues prelu(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    OnnxValue weight = arguments.tensor("weight");
    const std::size_t rank = ctx.rank(x);
    if (ctx.rank(weight) == 1 && rank > 2 && ctx.fixedDim(weight, 0) != 1) {
        Ints axes;
        for (std::int64_t i = 1; i < static_cast<std::int64_t>(rank) - 1; ++i) {
            axes.push_back(i);
        }
        weight = emit::unsqueeze(ctx, weight, axes);
    } else if (rank == 0) {
        weight = asScalar(ctx, weight);
    }
    return {lacksSlopes(ctx, x) ? slopedBelow(ctx, x, weight) : ctx.emit("PRelu", {x, weight})};
}

/// scale (x > 0 ? x : alpha (exp(input_scale x) - 1))
OnnxValue exponentialUnit(const NodeContext& ctx, OnnxValue x, double alpha, double scale, double inputScale)
{
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    const OnnxValue negative = elementary::expMinusOne(ctx, times(ctx, arithmetic::minimum(ctx, x, zero), inputScale));
    return ctx.emit("Where",
                    {ctx.emit("Greater", {x, zero}), times(ctx, x, scale), times(ctx, negative, alpha * scale)});
}

OnnxValues elu(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {exponentialUnit(ctx, selfOf(ctx), arguments.number("alpha", 1), arguments.number("scale", 1),
                            arguments.number("input_scale", 1))};
}

OnnxValues celu(NodeContext& ctx)
{
    const double alpha = Arguments(ctx).number("alpha", 1);
    return {exponentialUnit(ctx, selfOf(ctx), alpha, 1, 1 / alpha)};
}

OnnxValues selu(NodeContext& ctx)
{
    return {exponentialUnit(ctx, selfOf(ctx), 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1)};
}

OnnxValues gelu(NodeContext& ctx)
{
    return {forms::gelu(ctx, selfOf(ctx), Arguments(ctx).text("approximate", "none") == "tanh")};
}

OnnxValues silu(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {arithmetic::multiply(ctx, x, elementary::sigmoid(ctx, x))};
}

/// clip(x / 6 + 1/2, 0, 1)
OnnxValue hardSigmoidOf(const NodeContext& ctx, OnnxValue x)
{
    return times(ctx, emit::clip(ctx, plus(ctx, x, 3), 0.0, 6.0), 1.0 / 6);
}

OnnxValues hardSigmoid(NodeContext& ctx)
{
    return {hardSigmoidOf(ctx, selfOf(ctx))};
}

OnnxValues hardSwish(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {arithmetic::multiply(ctx, x, hardSigmoidOf(ctx, x))};
}

OnnxValues hardTanh(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::clip(ctx, selfOf(ctx), arguments.number("min_val", -1), arguments.number("max_val", 1))};
}

/// log(1 + exp(beta x)) / beta, and x above the threshold.
OnnxValue softplusOf(const NodeContext& ctx, OnnxValue x, double beta, double threshold)
{
    const OnnxValue scaled = times(ctx, x, beta);
    const OnnxValue isLinear = ctx.emit("Greater", {scaled, emit::scalarLike(ctx, x, threshold)});
    return ctx.emit("Where", {isLinear, x, times(ctx, elementary::softplus(ctx, scaled), 1 / beta)});
}

OnnxValues softplus(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {softplusOf(ctx, selfOf(ctx), arguments.number("beta", 1), arguments.number("threshold", 20))};
}

OnnxValues mish(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {arithmetic::multiply(ctx, x, elementary::tanh(ctx, elementary::softplus(ctx, x)))};
}

OnnxValues logSigmoid(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {ctx.emit("Neg", {elementary::softplus(ctx, ctx.emit("Neg", {x}))})};
}

OnnxValues threshold(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const OnnxValue isBelow = arithmetic::lessOrEqual(ctx, x, operand(ctx, arguments, "threshold", ctx.element(x)));
    return {forms::choose(ctx, isBelow, operand(ctx, arguments, "value", ctx.element(x)), x)};
}

/// Closed at lambda: 0 at |x| = lambda.
OnnxValues hardShrink(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    const double lambda = Arguments(ctx).number("lambd", 0.5);
    const OnnxValue isSmall = arithmetic::lessOrEqual(ctx, ctx.emit("Abs", {x}), emit::scalarLike(ctx, x, lambda));
    return {ctx.emit("Where", {isSmall, emit::scalarLike(ctx, x, 0), x})};
}

OnnxValues softShrink(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    const double lambda = Arguments(ctx).number("lambd", 0.5);
    return {arithmetic::subtract(ctx, x, emit::clip(ctx, x, -lambda, lambda))};
}

OnnxValues tanhShrink(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {arithmetic::subtract(ctx, x, elementary::tanh(ctx, x))};
}

OnnxValues glu(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = Arguments(ctx).axis("dim", -1, ctx.rank(x));
    OnnxValues halves;
    if (const Dim size = ctx.shape(x)[static_cast<std::size_t>(axis)]; size.isFixed()) {
        halves = emit::split(ctx, x, axis, {size.size / 2, size.size / 2});
    } else {
        const OnnxValue half = forms::sizes::over(ctx, emit::dimVector(ctx, x, axis), 2);
        const OnnxValue axes = ctx.onnx.ints({axis});
        halves = {emit::slice(ctx, x, ctx.onnx.ints({0}), half, axes, ctx.onnx.ints({1})),
                  emit::slice(ctx, x, half, ctx.onnx.ints({emit::farEnd}), axes, ctx.onnx.ints({1}))};
    }
    return {arithmetic::multiply(ctx, halves[0], elementary::sigmoid(ctx, halves[1]))};
}

/// A bound of clamp. An integer outside the range of an integer type bounds nothing: it does not wrap.
OnnxValue clampBound(const NodeContext& ctx, const Arguments& arguments, std::string_view name, ElementType type)
{
    const auto* stored = attributeOf<std::int64_t>(ctx.node, name);
    if (stored == nullptr || isFloating(type)) {
        return operand(ctx, arguments, name, type);
    }
    const auto number = static_cast<double>(*stored);
    const double bound = std::clamp(number, forms::lowestNumber(type), forms::highestNumber(type));
    return bound == number ? operand(ctx, arguments, name, type) : ctx.onnx.scalar(type, bound);
}

OnnxValues clamp(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "min", "max"});
    OnnxValue x = emit::cast(ctx, selfOf(ctx), type);
    if (arguments.has("min")) {
        x = arithmetic::maximum(ctx, x, clampBound(ctx, arguments, "min", type));
    }
    return {arguments.has("max") ? arithmetic::minimum(ctx, x, clampBound(ctx, arguments, "max", type)) : x};
}

template <bool isLogarithm>
OnnxValues softmax(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = selfOf(ctx);
    x = emit::cast(ctx, x, arguments.type("dtype", floatingType(ctx.element(x))));
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x));
    if (ctx.rank(x) == 0) {
        return {emit::squeeze(ctx, emit::softmax(ctx, emit::unsqueeze(ctx, x, {0}), 0, isLogarithm), {0})};
    }
    return {emit::softmax(ctx, x, axis, isLogarithm)};
}

/// Rows of -infinity alone result in 0.
OnnxValues safeSoftmax(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const OnnxValue y = softmax<false>(ctx)[0];
    if (!isFloating(ctx.element(x))) {
        return {y};
    }
    const OnnxValue single = ctx.element(x) == ElementType::Float64 ? x : emit::cast(ctx, x, ElementType::Float32);
    const OnnxValue isLowest = ctx.emit("IsInf", {single}, {{"detect_positive", 0}});
    const OnnxValue marks = emit::cast(ctx, isLowest, ElementType::Int32);
    const Ints axes = ctx.rank(x) == 0 ? Ints() : Ints{arguments.axis("dim", -1, ctx.rank(x))};
    const OnnxValue isEmpty =
        emit::cast(ctx, forms::reducedAlong(ctx, "ReduceMin", marks, axes, true), ElementType::Bool);
    return {ctx.emit("Where", {isEmpty, emit::scalarLike(ctx, y, 0), y})};
}

OnnxValues dropout(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (arguments.truth("train") && arguments.number("p", 0.5) != 0) {
        ctx.refuse("the model was saved in training mode, in which dropout is random", "train",
                   "call model.eval() before saving");
    }
    return {arguments.has("self") ? arguments.tensor("self") : arguments.tensor("input")};
}

} // namespace

std::span<const OpRow> activationOps()
{
    static constexpr OpRow rows[] = {
        {"aten::relu", relu, "Relu"},
        {"aten::relu6", relu6, "Clip"},
        {"aten::leaky_relu", leakyRelu, "LeakyRelu"},
        {"aten::rrelu", meanLeakyRelu, "LeakyRelu"},
        {"aten::rrelu_with_noise", meanLeakyRelu, "LeakyRelu"},
        {"aten::rrelu_with_noise_functional", meanLeakyReluAndNoise, "LeakyRelu"},
        {"aten::prelu", prelu, "PRelu"},
        {"aten::elu", elu, "Exp, Where"},
        {"aten::celu", celu, "Exp, Where"},
        {"aten::selu", selu, "Exp, Where"},
        {"aten::gelu", gelu, "Gelu, or Erf, Mul"},
        {"aten::silu", silu, "Sigmoid, Mul"},
        {"aten::hardsigmoid", hardSigmoid, "Clip"},
        {"aten::hardswish", hardSwish, "Clip, Mul"},
        {"aten::hardtanh", hardTanh, "Clip"},
        {"aten::softplus", softplus, "Softplus, Where"},
        {"aten::mish", mish, "Softplus, Tanh, Mul"},
        {"aten::log_sigmoid", logSigmoid, "Softplus"},
        {"aten::threshold", threshold, "Where"},
        {"aten::hardshrink", hardShrink, "Where"},
        {"aten::softshrink", softShrink, "Clip, Sub"},
        {"aten::tanhshrink", tanhShrink, "Tanh, Sub"},
        {"aten::glu", glu, "Split, Sigmoid, Mul"},
        {"aten::clamp", clamp, "Max, Min"},
        {"aten::clip", clamp, "Max, Min"},
        {"aten::clamp_min", clamp, "Max"},
        {"aten::clamp_max", clamp, "Min"},
        {"aten::softmax", softmax<false>, "Softmax"},
        {"aten::_softmax", softmax<false>, "Softmax"},
        {"aten::_safe_softmax", safeSoftmax, "Softmax, IsInf, Where"},
        {"aten::log_softmax", softmax<true>, "LogSoftmax"},
        {"aten::_log_softmax", softmax<true>, "LogSoftmax"},
        {"aten::dropout", dropout, ""},
        {"aten::feature_dropout", dropout, ""},
        {"aten::feature_alpha_dropout", dropout, ""},
        {"aten::alpha_dropout", dropout, ""},
        {"aten::native_dropout", dropout, ""},
    };
    return rows;
}

} // namespace crosswalk::pytorch
