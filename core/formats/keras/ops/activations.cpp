#include "core/formats/keras/ops/activations.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/running_sum.h"
#include "core/formats/keras/ops/keras_op_table.h"

#include <fmt/format.h>
#include <map>

namespace crosswalk::keras {
namespace {

constexpr double oneSixth = 1.0 / 6;

OnnxValue number(const NodeContext& ctx, OnnxValue like, double value)
{
    return emit::scalarLike(ctx, like, value);
}

OnnxValue times(const NodeContext& ctx, OnnxValue x, double factor)
{
    return factor == 1 ? x : ctx.emit("Mul", {x, number(ctx, x, factor)});
}

OnnxValue plus(const NodeContext& ctx, OnnxValue x, double offset)
{
    return offset == 0 ? x : ctx.emit("Add", {x, number(ctx, x, offset)});
}

OnnxValue linear(const NodeContext& /*ctx*/, OnnxValue x)
{
    return x;
}

OnnxValue relu(const NodeContext& ctx, OnnxValue x)
{
    return isFloating(ctx.element(x)) ? ctx.emit("Relu", {x}) : arithmetic::maximum(ctx, x, number(ctx, x, 0));
}

OnnxValue relu6(const NodeContext& ctx, OnnxValue x)
{
    return emit::clip(ctx, x, 0, 6);
}

OnnxValue elu(const NodeContext& ctx, OnnxValue x)
{
    return eluOf(ctx, x, 1);
}

OnnxValue selu(const NodeContext& ctx, OnnxValue x)
{
    constexpr double scale = 1.0507009873554805;
    constexpr double alpha = 1.6732632423543772;
    return ctx.element(x) == ElementType::Float64 ? times(ctx, eluOf(ctx, x, alpha), scale) : ctx.emit("Selu", {x});
}

OnnxValue gelu(const NodeContext& ctx, OnnxValue x)
{
    return forms::gelu(ctx, x);
}

OnnxValue swish(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Mul", {x, elementary::sigmoid(ctx, x)});
}

OnnxValue mish(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Mul", {x, elementary::tanh(ctx, elementary::softplus(ctx, x))});
}

/// Of Keras 1 and 2.
OnnxValue hardSigmoid(const NodeContext& ctx, OnnxValue x)
{
    return emit::clip(ctx, plus(ctx, times(ctx, x, 0.2), 0.5), 0, 1);
}

/// Of Keras 3.
OnnxValue hardSigmoidBySixths(const NodeContext& ctx, OnnxValue x)
{
    return times(ctx, emit::clip(ctx, plus(ctx, x, 3), 0, 6), oneSixth);
}

OnnxValue hardSilu(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Mul", {x, hardSigmoidBySixths(ctx, x)});
}

OnnxValue leakyReluByName(const NodeContext& ctx, OnnxValue x)
{
    return leakyRelu(ctx, x, 0.2);
}

OnnxValue softmax(const NodeContext& ctx, OnnxValue x)
{
    return emit::softmax(ctx, x, -1);
}

OnnxValue logSoftmax(const NodeContext& ctx, OnnxValue x)
{
    return emit::softmax(ctx, x, -1, true);
}

OnnxValue glu(const NodeContext& ctx, OnnxValue x)
{
    return gluOf(ctx, x, static_cast<std::int64_t>(ctx.rank(x)) - 1);
}

OnnxValue logSigmoid(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Neg", {elementary::softplus(ctx, ctx.emit("Neg", {x}))});
}

OnnxValue hardTanh(const NodeContext& ctx, OnnxValue x)
{
    return emit::clip(ctx, x, -1, 1);
}

OnnxValue hardShrink(const NodeContext& ctx, OnnxValue x)
{
    return hardShrinkOf(ctx, x, 0.5);
}

OnnxValue softShrink(const NodeContext& ctx, OnnxValue x)
{
    return softShrinkOf(ctx, x, 0.5);
}

OnnxValue tanhShrink(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Sub", {x, elementary::tanh(ctx, x)});
}

OnnxValue squarePlus(const NodeContext& ctx, OnnxValue x)
{
    return squarePlusOf(ctx, x, 4);
}

OnnxValue sparsePlus(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue raised = plus(ctx, x, 1);
    const OnnxValue curve = times(ctx, ctx.emit("Mul", {raised, raised}), 0.25);
    const OnnxValue above = ctx.emit("Where", {ctx.emit("Less", {x, number(ctx, x, 1)}), curve, x});
    return ctx.emit("Where", {ctx.emit("Greater", {x, number(ctx, x, -1)}), above, number(ctx, x, 0)});
}

OnnxValue sparseSigmoid(const NodeContext& ctx, OnnxValue x)
{
    return emit::clip(ctx, times(ctx, plus(ctx, x, 1), 0.5), 0, 1);
}

OnnxValue sparsemax(const NodeContext& ctx, OnnxValue x)
{
    return sparsemaxOf(ctx, x, static_cast<std::int64_t>(ctx.rank(x)) - 1);
}

OnnxValue celu(const NodeContext& ctx, OnnxValue x)
{
    return eluOf(ctx, x, 1);
}

struct Row {
    ActivationFunction function;
    int since = 1; ///< major version of Keras
};

const std::map<std::string_view, Row>& functions()
{
    static const std::map<std::string_view, Row> table{
        {"celu", {celu, 3}},
        {"elu", {elu}},
        {"exponential", {elementary::exp}},
        {"gelu", {gelu}},
        {"glu", {glu, 3}},
        {"hard_shrink", {hardShrink, 3}},
        {"hard_silu", {hardSilu, 3}},
        {"hard_swish", {hardSilu, 3}},
        {"hard_tanh", {hardTanh, 3}},
        {"leaky_relu", {leakyReluByName}},
        {"linear", {linear}},
        {"log_sigmoid", {logSigmoid, 3}},
        {"log_softmax", {logSoftmax}},
        {"mish", {mish}},
        {"relu", {relu}},
        {"relu6", {relu6}},
        {"selu", {selu}},
        {"sigmoid", {elementary::sigmoid}},
        {"silu", {swish}},
        {"soft_shrink", {softShrink, 3}},
        {"softmax", {softmax}},
        {"softplus", {elementary::softplus}},
        {"softsign", {elementary::softsign}},
        {"sparse_plus", {sparsePlus, 3}},
        {"sparse_sigmoid", {sparseSigmoid, 3}},
        {"sparsemax", {sparsemax, 3}},
        {"squareplus", {squarePlus, 3}},
        {"swish", {swish}},
        {"tanh", {elementary::tanh}},
        {"tanh_shrink", {tanhShrink, 3}},
    };
    return table;
}

[[noreturn]] void refuseFunction(const Layer& layer, const std::string& name, const std::string& setting)
{
    layer.refuse(fmt::format("activation \"{}\" is not a function of Keras: its Python code is not in the file", name),
                 layer.settings.nameOf(setting), "replace it by functions of Keras, or by layers");
}

/// The name of a function that is a setting, as a text or as an object with the text; empty for a layer.
std::string functionName(const Layer& layer, const std::string& setting)
{
    if (layer.settings.isText(setting)) {
        return layer.settings.text(setting);
    }
    const Settings object = layer.settings.below(setting);
    const std::string kind = object.text("class_name");
    if (kind == "function" || kind == "__lambda__") {
        refuseFunction(layer, object.isText("config") ? object.text("config") : kind, setting);
    }
    return {};
}

} // namespace

ActivationFunction findActivation(std::string_view name, int majorVersion)
{
    if (name == "hard_sigmoid") {
        return majorVersion >= 3 ? hardSigmoidBySixths : hardSigmoid;
    }
    const auto row = functions().find(name);
    return row != functions().end() && row->second.since <= majorVersion ? row->second.function : nullptr;
}

/// x as Keras 3 gives it to a function: few functions return integers for integers.
OnnxValue argumentOf(const Layer& layer, const std::string& name, OnnxValue x)
{
    const ElementType type = layer.ctx.element(x);
    if (layer.major() < 3 || isFloating(type) || name == "linear") {
        return x;
    }
    if (name == "relu" || name == "hard_tanh") {
        return type == ElementType::Bool ? emit::cast(layer.ctx, x, ElementType::Int32) : x;
    }
    return emit::cast(layer.ctx, x, layer.computeType().value_or(ElementType::Float32));
}

OnnxValue activated(const Layer& layer, OnnxValue x, const std::string& setting)
{
    if (!layer.settings.has(setting) && !layer.settings.hasBelow(setting)) {
        return x;
    }
    const std::string name = functionName(layer, setting);
    if (name.empty()) { // a layer as a function
        return translateLayer(layer.inner(setting, setting, {x})).front();
    }
    const ActivationFunction function = findActivation(name, layer.major());
    if (function == nullptr) {
        refuseFunction(layer, name, setting);
    }
    return function(layer.ctx, argumentOf(layer, name, x));
}

RecurrentActivation recurrentActivation(const Layer& layer, const std::string& setting, const std::string& otherwise)
{
    const bool isGiven = layer.settings.has(setting) || layer.settings.hasBelow(setting);
    const bool isNone = layer.settings.isNull(setting) && !isGiven; // None is the identity, not the default
    std::string name = isGiven ? functionName(layer, setting) : isNone ? "linear" : otherwise;
    if (isGiven && name.empty()) {
        layer.refuse(fmt::format("a recurrent layer with a layer as {}", setting), layer.settings.nameOf(setting));
    }
    static const std::map<std::string_view, RecurrentActivation> known{
        {"sigmoid", sigmoidActivation},
        {"tanh", tanhActivation},
        {"relu", reluActivation},
        {"linear", linearActivation},
        {"softsign", {.name = "Softsign"}},
        {"softplus", {.name = "Softplus"}},
        {"elu", {.name = "Elu", .alpha = 1.0F}},
    };
    if (name == "hard_sigmoid") {
        return {.name = "HardSigmoid", .alpha = layer.major() >= 3 ? static_cast<float>(oneSixth) : 0.2F, .beta = 0.5F};
    }
    if (const auto row = known.find(name); row != known.end()) {
        return row->second;
    }
    const ActivationFunction function = findActivation(name, layer.major());
    if (function == nullptr) {
        refuseFunction(layer, name, setting);
    }
    return {.name = {}, .custom = function};
}

OnnxValue generalRelu(const NodeContext& ctx, OnnxValue x, double slope, double threshold, std::optional<double> limit)
{
    OnnxValue y;
    if (threshold == 0 && slope == 0) {
        return limit ? emit::clip(ctx, x, 0, limit) : ctx.emit("Relu", {x});
    }
    if (threshold == 0) {
        y = leakyRelu(ctx, x, slope);
    } else {
        // Only what is greater than the threshold stays as it is.
        const OnnxValue below = slope == 0 ? number(ctx, x, 0) : times(ctx, plus(ctx, x, -threshold), slope);
        y = ctx.emit("Where", {forms::arithmetic::lessOrEqual(ctx, x, number(ctx, x, threshold)), below, x});
    }
    return limit ? emit::clip(ctx, y, std::nullopt, limit) : y;
}

OnnxValue leakyRelu(const NodeContext& ctx, OnnxValue x, double slope)
{
    if (ctx.element(x) != ElementType::Float64) {
        return ctx.emit("LeakyRelu", {x}, {{"alpha", slope}});
    }
    return ctx.emit("Where", {ctx.emit("Greater", {x, number(ctx, x, 0)}), x, times(ctx, x, slope)});
}

OnnxValue eluOf(const NodeContext& ctx, OnnxValue x, double alpha)
{
    if (ctx.element(x) != ElementType::Float64) {
        return ctx.emit("Elu", {x}, {{"alpha", alpha}});
    }
    const OnnxValue below = times(ctx, elementary::expMinusOne(ctx, x), alpha);
    return ctx.emit("Where", {ctx.emit("Greater", {x, number(ctx, x, 0)}), x, below});
}

OnnxValue gluOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const std::int64_t size = ctx.fixedDim(x, axis);
    if (size % 2 != 0) {
        ctx.invalid(fmt::format("glu of an odd number of features, {}", size), "activation");
    }
    const OnnxValues halves = emit::split(ctx, x, axis, Ints{size / 2, size / 2});
    return ctx.emit("Mul", {halves[0], elementary::sigmoid(ctx, halves[1])});
}

OnnxValue hardShrinkOf(const NodeContext& ctx, OnnxValue x, double threshold)
{
    const OnnxValue isLarge = ctx.emit("Greater", {ctx.emit("Abs", {x}), number(ctx, x, threshold)});
    return ctx.emit("Where", {isLarge, x, number(ctx, x, 0)});
}

OnnxValue softShrinkOf(const NodeContext& ctx, OnnxValue x, double threshold)
{
    return ctx.emit("Sub", {x, emit::clip(ctx, x, -threshold, threshold)});
}

OnnxValue squarePlusOf(const NodeContext& ctx, OnnxValue x, double b)
{
    const OnnxValue root = elementary::sqrt(ctx, plus(ctx, ctx.emit("Mul", {x, x}), b));
    return times(ctx, ctx.emit("Add", {x, root}), 0.5);
}

OnnxValue sparsemaxOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const OnnxValue size = emit::dimVector(ctx, x, axis);
    const OnnxValue sorted = ctx.onnx.add("TopK", {x, size}, {{"axis", axis}, {"largest", 1}, {"sorted", 1}}, 2)[0];
    const OnnxValue one = number(ctx, x, 1);
    const OnnxValue sums = runningSum(ctx, sorted, axis);
    const OnnxValue ranks = runningSum(ctx, emit::expand(ctx, one, emit::shapeVector(ctx, sorted)), axis);
    const OnnxValue isSupport = ctx.emit("Greater", {ctx.emit("Add", {one, ctx.emit("Mul", {ranks, sorted})}), sums});
    const OnnxValue support = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isSupport, ctx.element(x)), {axis}, true);
    const OnnxValue taken = ctx.emit("Where", {isSupport, sums, number(ctx, x, 0)});
    const OnnxValue total = emit::reduce(ctx, "ReduceSum", taken, {axis}, true);
    const OnnxValue level = ctx.emit("Div", {ctx.emit("Sub", {total, one}), support});
    return ctx.emit("Relu", {ctx.emit("Sub", {x, level})});
}

OnnxValue softmaxOver(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    if (axes.size() == 1) {
        return emit::softmax(ctx, x, axes.front());
    }
    const OnnxValue raised = elementary::exp(ctx, ctx.emit("Sub", {x, emit::reduce(ctx, "ReduceMax", x, axes, true)}));
    return ctx.emit("Div", {raised, emit::reduce(ctx, "ReduceSum", raised, axes, true)});
}

} // namespace crosswalk::keras
