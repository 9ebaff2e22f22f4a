// Losses of predictions against targets.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/pytorch/ops/half_steps.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <numbers>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;

/// What becomes of the losses of the elements: 0 nothing, 1 their mean, 2 their sum.
std::int64_t reductionOf(const NodeContext& ctx, const Arguments& arguments)
{
    const std::int64_t reduction = arguments.integer("reduction", 1);
    if (reduction < 0 || reduction > 2) {
        ctx.invalid(fmt::format("reduction is {}, but must be 0, 1 or 2", reduction), "reduction");
    }
    return reduction;
}

/// Arithmetic of a loss in one type.
class Terms {
public:
    /// In the floating type of operands.
    Terms(const NodeContext& ctx, const Arguments& arguments,
          std::initializer_list<std::string_view> operands = {"self", "target"})
        : Terms(ctx, arguments, floatingType(resultType(ctx, arguments, operands)))
    {
    }
    Terms(const NodeContext& ctx, const Arguments& arguments, ElementType type)
        : m_ctx(ctx)
        , m_arguments(arguments)
        , m_type(type)
    {
    }

    OnnxValue operator[](std::string_view name) const { return operand(m_ctx, m_arguments, name, m_type); }
    OnnxValue cast(OnnxValue x) const { return emit::cast(m_ctx, x, m_type); }
    OnnxValue number(double value) const { return m_ctx.onnx.scalar(m_type, value); }
    OnnxValue add(OnnxValue a, OnnxValue b) const { return arithmetic::add(m_ctx, a, b); }
    OnnxValue sub(OnnxValue a, OnnxValue b) const { return arithmetic::subtract(m_ctx, a, b); }
    OnnxValue mul(OnnxValue a, OnnxValue b) const { return arithmetic::multiply(m_ctx, a, b); }
    OnnxValue times(OnnxValue a, double b) const { return mul(a, number(b)); }
    OnnxValue div(OnnxValue a, OnnxValue b) const { return arithmetic::divide(m_ctx, a, b); }
    OnnxValue abs(OnnxValue x) const { return m_ctx.emit("Abs", {x}); }
    OnnxValue neg(OnnxValue x) const { return m_ctx.emit("Neg", {x}); }
    OnnxValue log(OnnxValue x) const { return elementary::log(m_ctx, x); }
    OnnxValue exp(OnnxValue x) const { return elementary::exp(m_ctx, x); }
    OnnxValue atLeast(OnnxValue x, double low) const { return emit::clip(m_ctx, x, low, std::nullopt); }
    OnnxValue where(OnnxValue condition, OnnxValue a, OnnxValue b) const
    {
        return forms::choose(m_ctx, condition, a, b);
    }
    OnnxValue less(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Less", {a, b}); }
    /// log(1 + exp(-|x|)) + max(-x, 0)
    OnnxValue logisticOf(OnnxValue x) const
    {
        const OnnxValue rest = elementary::logOnePlus(m_ctx, exp(neg(abs(x))));
        return add(rest, atLeast(neg(x), 0));
    }

    /// By the argument `reduction`: all elements, their mean, or their sum, which is int64 of integers.
    OnnxValues reduced(OnnxValue loss) const
    {
        const std::int64_t reduction = reductionOf(m_ctx, m_arguments);
        if (reduction == 0) {
            return {loss};
        }
        if (!isFloating(m_ctx.element(loss))) {
            if (reduction == 1) {
                m_ctx.invalid("PyTorch has no mean of integers", "reduction");
            }
            loss = emit::cast(m_ctx, loss, ElementType::Int64);
        }
        if (m_ctx.rank(loss) == 0) {
            return {loss};
        }
        Ints axes(m_ctx.rank(loss));
        std::iota(axes.begin(), axes.end(), 0);
        return {emit::reduce(m_ctx, reduction == 1 ? "ReduceMean" : "ReduceSum", loss, axes, false)};
    }

private:
    const NodeContext& m_ctx;
    const Arguments& m_arguments;
    ElementType m_type;
};

OnnxValues squaredError(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments);
    const OnnxValue difference = t.sub(t["self"], t["target"]);
    return t.reduced(t.mul(difference, difference));
}

OnnxValues absoluteError(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments, resultType(ctx, arguments, {"self", "target"}));
    return t.reduced(t.abs(t.sub(t["self"], t["target"])));
}

/// Squared up to a distance, linear beyond; `isHuber`: not divided by it, and of the type of `self`.
template <bool isHuber>
OnnxValues smoothError(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments);
    const double border = arguments.number(isHuber ? "delta" : "beta", 1);
    const ElementType type = ctx.element(isHuber ? arguments.tensor("self") : t["self"]);
    const OnnxValue distance = t.abs(t.sub(t["self"], t["target"]));
    if (border == 0) {
        return t.reduced(emit::cast(ctx, distance, type));
    }
    const OnnxValue near = t.times(t.mul(distance, distance), isHuber ? 0.5 : 0.5 / border);
    const OnnxValue far = t.times(t.sub(distance, t.number(border / 2)), isHuber ? border : 1);
    return t.reduced(emit::cast(ctx, t.where(t.less(distance, t.number(border)), near, far), type));
}

/// log(1 + exp(-target x)), in which the exponential may overflow, in the type of x.
OnnxValues softMargin(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Terms t(ctx, arguments, ctx.element(x));
    const HalfSteps step(ctx, ctx.element(x));
    const OnnxValue product = step("Mul", {step("Neg", {step.start(x)}), step.start(t["target"])});
    return t.reduced(step.end(step("Log", {step("Add", step("Exp", {product}), 1)})));
}

OnnxValues poisson(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = floatingType(resultType(ctx, arguments, {"input", "target"}));
    const Terms t(ctx, arguments, type);
    const HalfSteps step(ctx, type);
    const OnnxValue x = step.start(operand(ctx, arguments, "input", type));
    const OnnxValue target = step.start(operand(ctx, arguments, "target", type));
    const auto log = [&](OnnxValue value) { return step("Log", {value}); };
    OnnxValue loss;
    if (arguments.truth("log_input", true)) {
        loss = step("Sub", {step("Exp", {x}), step("Mul", {target, x})});
    } else {
        loss = step("Sub", {x, step("Mul", {target, log(step("Add", x, arguments.number("eps", 1e-8)))})});
    }
    if (arguments.truth("full")) { // Stirling's formula
        const OnnxValue half = step("Mul", log(step("Mul", target, 2 * std::numbers::pi)), 0.5);
        const OnnxValue more = step("Add", {step("Sub", {step("Mul", {target, log(target)}), target}), half});
        const OnnxValue isMore = ctx.emit("Greater", {target, emit::scalarLike(ctx, target, 1)});
        loss = step("Add", {loss, ctx.emit("Where", {isMore, more, emit::scalarLike(ctx, more, 0)})});
    }
    return t.reduced(step.end(loss));
}

OnnxValue weighted(const Terms& t, const Arguments& arguments, OnnxValue loss)
{
    return arguments.has("weight") ? t.mul(loss, t["weight"]) : loss;
}

/// Logarithms are at least -100.
OnnxValues binaryCrossEntropy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments);
    const OnnxValue x = t["self"];
    const OnnxValue target = t["target"];
    constexpr double lowest = -100;
    const OnnxValue one = t.mul(target, t.atLeast(t.log(x), lowest));
    const OnnxValue other = t.mul(t.sub(t.number(1), target), t.atLeast(elementary::logOnePlus(ctx, t.neg(x)), lowest));
    return t.reduced(weighted(t, arguments, t.neg(t.add(one, other))));
}

OnnxValues binaryCrossEntropyOfLogits(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments);
    const OnnxValue x = t["self"];
    const OnnxValue target = t["target"];
    OnnxValue logistic = t.logisticOf(x);
    if (arguments.has("pos_weight")) {
        const OnnxValue more = t.mul(t.sub(t["pos_weight"], t.number(1)), target);
        logistic = t.mul(t.add(more, t.number(1)), logistic);
    }
    const OnnxValue loss = t.add(t.mul(t.sub(t.number(1), target), x), logistic);
    return t.reduced(weighted(t, arguments, loss));
}

/// target (log(target) - x), or exp(target) (target - x) of logarithms.
OnnxValues divergence(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments);
    const OnnxValue x = t["self"];
    const OnnxValue target = t["target"];
    if (arguments.truth("log_target")) {
        return t.reduced(t.mul(t.exp(target), t.sub(target, x)));
    }
    const OnnxValue isZero = ctx.emit("Equal", {target, t.number(0)});
    const OnnxValue own = t.where(isZero, t.number(0), t.mul(target, t.log(target)));
    return t.reduced(t.sub(own, t.mul(target, x)));
}

/// The difference and the product with the target have the types of the arguments; the margin is floating.
OnnxValues marginRanking(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments, {"input1", "input2", "target"});
    const ElementType own = resultType(ctx, arguments, {"input1", "input2"});
    const ElementType type = resultType(ctx, arguments, {"input1", "input2", "target"});
    const OnnxValue difference =
        arithmetic::subtract(ctx, operand(ctx, arguments, "input1", own), operand(ctx, arguments, "input2", own));
    const OnnxValue target = operand(ctx, arguments, "target", type);
    const OnnxValue negative = arithmetic::subtract(ctx, emit::scalarLike(ctx, target, 0), target);
    OnnxValue product = arithmetic::multiply(ctx, negative, emit::cast(ctx, difference, type));
    product = emit::cast(ctx, product, floatingType(type));
    const OnnxValue margin = emit::scalarLike(ctx, product, arguments.number("margin", 0));
    return t.reduced(emit::clip(ctx, arithmetic::add(ctx, product, margin), 0, std::nullopt));
}

/// All in the type of x, the margin too.
OnnxValues hingeEmbedding(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Terms t(ctx, arguments, ctx.element(x));
    const OnnxValue zero = t.number(0);
    const OnnxValue target =
        emit::cast(ctx, arguments.tensor("target"), floatingType(ctx.element(arguments.tensor("target"))));
    const auto isOther = [&](double value) {
        return ctx.emit("Not", {ctx.emit("Equal", {target, emit::scalarLike(ctx, target, value)})});
    };
    const double margin = arguments.number("margin", 1);
    const OnnxValue far = t.atLeast(t.sub(t.number(isFloating(ctx.element(x)) ? margin : std::trunc(margin)), x), 0);
    return t.reduced(t.add(t.where(isOther(1), far, zero), t.where(isOther(-1), x, zero)));
}

/// 1 less the cosine of equal pairs, and the cosine of others as far as it exceeds the margin.
OnnxValues cosineEmbedding(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments, {"input1", "input2"});
    const OnnxValue a = t["input1"];
    const OnnxValue b = t["input2"];
    const Ints axis{static_cast<std::int64_t>(ctx.rank(arguments.tensor("target")))};
    constexpr double least = 1e-12; // EPSILON in aten/src/ATen/native/Loss.cpp
    const auto productOf = [&](OnnxValue x, OnnxValue y) {
        return emit::reduce(ctx, "ReduceSum", t.mul(x, y), axis, false);
    };
    const OnnxValue squares = t.mul(t.add(productOf(a, a), t.number(least)), t.add(productOf(b, b), t.number(least)));
    const OnnxValue cosine = t.div(productOf(a, b), elementary::sqrt(ctx, squares));
    const OnnxValue zero = t.number(0);
    const auto isLabelled = [&](double value) { return ctx.emit("Equal", {t["target"], t.number(value)}); };
    const OnnxValue far = t.atLeast(t.sub(cosine, t.number(arguments.number("margin", 0))), 0);
    return t.reduced(
        t.add(t.where(isLabelled(1), t.sub(t.number(1), cosine), zero), t.where(isLabelled(-1), far, zero)));
}

/// How much nearer than the margin the negative sample is, compared with the positive one.
OnnxValues tripletMargin(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Terms t(ctx, arguments, {"anchor", "positive", "negative"});
    const double p = arguments.number("p", 2);
    if (!(p > 0) || std::isinf(p)) {
        ctx.refuse("only norms of a positive finite degree are supported", "p");
    }
    const Ints axis{static_cast<std::int64_t>(ctx.rank(arguments.tensor("anchor"))) - 1};
    const auto distance = [&](std::string_view a, std::string_view b) {
        // The difference of integers wraps in their type.
        const ElementType own = resultType(ctx, arguments, {a, b});
        const OnnxValue difference =
            arithmetic::subtract(ctx, operand(ctx, arguments, a, own), operand(ctx, arguments, b, own));
        const OnnxValue apart = t.abs(t.add(t.cast(difference), t.number(arguments.number("eps", 1e-6))));
        const forms::Precision precision(ctx, apart); // of the norm alone
        const OnnxValue wide = precision.widen(apart);
        const auto number = [&](double value) { return emit::scalarLike(ctx, wide, value); };
        const OnnxValue powers = p == 1   ? wide
                                 : p == 2 ? arithmetic::multiply(ctx, wide, wide)
                                          : ctx.emit("Pow", {wide, number(p)});
        const OnnxValue sum = emit::reduce(ctx, "ReduceSum", powers, axis, false);
        return precision.restore(p == 1   ? sum
                                 : p == 2 ? elementary::sqrt(ctx, sum)
                                          : ctx.emit("Pow", {sum, number(1 / p)}));
    };
    OnnxValue far = distance("anchor", "negative");
    if (arguments.truth("swap")) {
        far = ctx.emit("Min", {far, distance("positive", "negative")});
    }
    const OnnxValue excess = t.sub(distance("anchor", "positive"), far);
    return t.reduced(t.atLeast(t.add(excess, t.number(arguments.number("margin", 1))), 0));
}

/// The axis of the classes.
std::int64_t classAxis(const NodeContext& ctx, OnnxValue x)
{
    return ctx.rank(x) < 2 ? 0 : 1;
}

/// A vector of one number per class beside x.
OnnxValue besideClasses(const NodeContext& ctx, OnnxValue weights, OnnxValue x)
{
    Ints behind;
    for (std::int64_t i = classAxis(ctx, x) + 1; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        behind.push_back(i - classAxis(ctx, x));
    }
    return behind.empty() ? weights : emit::unsqueeze(ctx, weights, behind);
}

OnnxValue sumOfAll(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.rank(x) == 0) {
        return x;
    }
    Ints axes(ctx.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    return emit::reduce(ctx, "ReduceSum", x, axes, false);
}

/// Of numbered classes: the weights of the targets, 0 where one is ignored, and a function to pick each target's
/// number.
struct Targets {
    OnnxValue isCounted; ///< bool
    OnnxValue places;    ///< int64, those ignored are 0
    OnnxValue weights;
    bool areWeighted = false;

    /// Zero where the target is ignored, even in place of an infinite number.
    OnnxValue countedOf(const NodeContext& ctx, OnnxValue numbers) const
    {
        return ctx.emit("Where", {isCounted, numbers, emit::scalarLike(ctx, numbers, 0)});
    }
};

Targets targetsOf(const NodeContext& ctx, const Arguments& arguments, OnnxValue x)
{
    const OnnxValue given = emit::cast(ctx, arguments.tensor("target"), ElementType::Int64);
    const std::int64_t ignored = arguments.integer("ignore_index", -100);
    const OnnxValue isIgnored = ctx.emit(
        "Equal", {given, ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&ignored, 1)))});
    Targets targets;
    targets.isCounted = ctx.emit("Not", {isIgnored});
    targets.places = ctx.emit("Where", {isIgnored, ctx.onnx.scalar(ElementType::Int64, 0), given});
    targets.areWeighted = arguments.has("weight");
    targets.weights = targets.areWeighted
                          ? targets.countedOf(ctx, emit::gather(ctx, arguments.tensor("weight"), targets.places, 0))
                          : emit::cast(ctx, targets.isCounted, ctx.element(x));
    return targets;
}

/// The negative numbers of the targets, weighted.
OnnxValue pickedLosses(const NodeContext& ctx, OnnxValue x, const Targets& targets)
{
    const std::int64_t axis = classAxis(ctx, x);
    const OnnxValue picked = emit::squeeze(
        ctx, ctx.emit("GatherElements", {x, emit::unsqueeze(ctx, targets.places, {axis})}, {{"axis", axis}}), {axis});
    const OnnxValue negative = ctx.emit("Neg", {picked});
    return targets.countedOf(ctx,
                             targets.areWeighted ? arithmetic::multiply(ctx, negative, targets.weights) : negative);
}

/// Means divide by the sum of the weights.
OnnxValue reducedBy(const NodeContext& ctx, const Arguments& arguments, OnnxValue losses, OnnxValue weights)
{
    const std::int64_t reduction = reductionOf(ctx, arguments);
    if (reduction == 0) {
        return losses;
    }
    const OnnxValue total = sumOfAll(ctx, losses);
    return reduction == 1 ? arithmetic::divide(ctx, total, sumOfAll(ctx, weights)) : total;
}

OnnxValues likelihood(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Targets targets = targetsOf(ctx, arguments, x);
    return {reducedBy(ctx, arguments, pickedLosses(ctx, x, targets), targets.weights), sumOfAll(ctx, targets.weights)};
}

OnnxValues crossEntropy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const std::int64_t axis = classAxis(ctx, given);
    const OnnxValue x = emit::softmax(ctx, given, axis, true);
    const double smoothing = arguments.number("label_smoothing", 0);
    const auto classes = static_cast<double>(ctx.fixedDim(x, axis));
    const OnnxValue weight = arguments.optional("weight");
    const OnnxValue scaled = weight ? arithmetic::multiply(ctx, x, besideClasses(ctx, weight, x)) : x;
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    if (isFloating(ctx.element(arguments.tensor("target")))) { // probabilities of the classes
        OnnxValue target = arguments.tensor("target");
        const ElementType type = promoted(ctx.element(scaled), ctx.element(target));
        target = emit::cast(ctx, target, type);
        if (smoothing != 0) {
            target =
                arithmetic::add(ctx, arithmetic::multiply(ctx, target, emit::scalarLike(ctx, target, 1 - smoothing)),
                                emit::scalarLike(ctx, target, smoothing / classes));
        }
        const OnnxValue products = arithmetic::multiply(ctx, emit::cast(ctx, scaled, type), target);
        const OnnxValue losses = ctx.emit("Neg", {emit::reduce(ctx, "ReduceSum", products, {axis}, false)});
        const OnnxValue ones = emit::expand(ctx, emit::scalarLike(ctx, losses, 1), emit::shapeVector(ctx, losses));
        return {reducedBy(ctx, arguments, losses, ones)};
    }
    const Targets targets = targetsOf(ctx, arguments, x);
    const OnnxValue loss = reducedBy(ctx, arguments, pickedLosses(ctx, x, targets), targets.weights);
    if (smoothing == 0) {
        return {loss};
    }
    const OnnxValue all = ctx.emit("Neg", {emit::reduce(ctx, "ReduceSum", scaled, {axis}, false)});
    const OnnxValue smooth = reducedBy(ctx, arguments, targets.countedOf(ctx, all), targets.weights);
    return {arithmetic::add(ctx, arithmetic::multiply(ctx, loss, number(1 - smoothing)),
                            arithmetic::multiply(ctx, smooth, number(smoothing / classes)))};
}

} // namespace

std::span<const OpRow> lossOps()
{
    static constexpr OpRow rows[] = {
        {"aten::mse_loss", squaredError, "Sub, Mul, ReduceMean"},
        {"aten::l1_loss", absoluteError, "Sub, Abs, ReduceMean"},
        {"aten::smooth_l1_loss", smoothError<false>, "Sub, Where, ReduceMean"},
        {"aten::huber_loss", smoothError<true>, "Sub, Where, ReduceMean"},
        {"aten::soft_margin_loss", softMargin, "Exp, Log, ReduceMean"},
        {"aten::poisson_nll_loss", poisson, "Exp, Mul, Sub, ReduceMean"},
        {"aten::binary_cross_entropy", binaryCrossEntropy, "Log, Mul, ReduceMean"},
        {"aten::binary_cross_entropy_with_logits", binaryCrossEntropyOfLogits, "Exp, Log, Mul, ReduceMean"},
        {"aten::kl_div", divergence, "Log, Mul, ReduceMean"},
        {"aten::margin_ranking_loss", marginRanking, "Sub, Mul, ReduceMean"},
        {"aten::cosine_embedding_loss", cosineEmbedding, "Mul, ReduceSum, Where, ReduceMean"},
        {"aten::triplet_margin_loss", tripletMargin, "Sub, Abs, ReduceSum, ReduceMean"},
        {"aten::hinge_embedding_loss", hingeEmbedding, "Where, ReduceMean"},
        {"aten::nll_loss", likelihood, "GatherElements, ReduceSum"},
        {"aten::nll_loss2d", likelihood, "GatherElements, ReduceSum"},
        {"aten::nll_loss_nd", likelihood, "GatherElements, ReduceSum"},
        {"aten::nll_loss_forward", likelihood, "GatherElements, ReduceSum"},
        {"aten::nll_loss2d_forward", likelihood, "GatherElements, ReduceSum"},
        {"aten::cross_entropy_loss", crossEntropy, "LogSoftmax, GatherElements, ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
