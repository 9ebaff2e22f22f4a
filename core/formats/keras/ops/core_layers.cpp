// Dense, EinsumDense, Embedding, Masking, and layers that do nothing at inference.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

OnnxValues identityLayer(const Layer& layer)
{
    return {layer.input(0)};
}

/// x in the type of the weights: a layer takes integers too.
OnnxValue inTypeOf(const Layer& layer, OnnxValue x, OnnxValue weight)
{
    return emit::cast(layer.ctx, x, layer.ctx.element(weight));
}

/// x quantized to eight bits by its largest magnitude along some axes, as numbers of its type.
struct Quantized {
    OnnxValue x;
    OnnxValue scale; ///< that x was multiplied by; has size 1 on the axes
};

Quantized quantized(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const OnnxValue largest = emit::reduce(ctx, "ReduceMax", ctx.emit("Abs", {x}), axes, true);
    const OnnxValue scale = ctx.emit("Div", {number(127), ctx.emit("Add", {largest, number(1e-7)})});
    return {emit::clip(ctx, ctx.emit("Round", {ctx.emit("Mul", {x, scale})}), -127, 127), scale};
}

/// A stored weight of eight bits as numbers of the layer's type.
OnnxValue wideWeight(const Layer& layer, const std::string& weight)
{
    return emit::cast(layer.ctx, layer.weight(weight), layer.computeType().value_or(ElementType::Float32));
}

OnnxValue withBias(const Layer& layer, OnnxValue y)
{
    return layer.hasWeight("bias") ? layer.ctx.emit("Add", {y, layer.weight("bias")}) : y;
}

OnnxValues quantizedDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue kernel = wideWeight(layer, "kernel");
    const OnnxValue given = inTypeOf(layer, layer.input(0), kernel);
    const Quantized x = quantized(ctx, given, {static_cast<std::int64_t>(ctx.rank(given)) - 1});
    const OnnxValue product = ctx.emit("MatMul", {x.x, kernel});
    const OnnxValue scale = ctx.emit("Mul", {x.scale, layer.weight("kernel_scale")});
    return {activated(layer, withBias(layer, ctx.emit("Div", {product, scale})))};
}

OnnxValues dense(const Layer& layer)
{
    if (layer.isInt8()) {
        return quantizedDense(layer);
    }
    const NodeContext& ctx = layer.ctx;
    const Shape& shape = ctx.shape(layer.input(0));
    if (shape.empty()) {
        ctx.invalid("its input is a single number");
    }
    const OnnxValue kernel = layer.weight("kernel", {shape.back(), Dim()});
    const OnnxValue x = inTypeOf(layer, layer.input(0), kernel);
    OnnxValue y = ctx.emit("MatMul", {x, kernel});
    if (layer.hasWeight("bias")) {
        y = ctx.emit("Add", {y, layer.weight("bias", {ctx.shape(kernel)[1]})});
    }
    return {activated(layer, y)};
}

/// The scales of the input, which has size 1 on the contracted axes, in the axes of the output.
OnnxValue scaleOfOutput(const NodeContext& ctx, OnnxValue scale, const std::string& input, const std::string& output,
                        const Ints& contracted)
{
    std::string letters = input;
    for (const std::int64_t axis : contracted) {
        letters[static_cast<std::size_t>(axis)] = ' ';
    }
    std::erase(letters, ' ');
    Ints order;
    Ints fresh;
    for (std::size_t i = 0; i < output.size(); ++i) {
        const auto place = letters.find(output[i]);
        if (place == std::string::npos) {
            fresh.push_back(static_cast<std::int64_t>(i));
        } else {
            order.push_back(static_cast<std::int64_t>(place));
        }
    }
    OnnxValue y = contracted.empty() ? scale : emit::squeeze(ctx, scale, contracted);
    y = std::ranges::is_sorted(order) ? y : emit::transpose(ctx, y, order);
    return fresh.empty() ? y : emit::unsqueeze(ctx, y, fresh);
}

OnnxValues quantizedEinsum(const Layer& layer, const std::string& equation)
{
    const NodeContext& ctx = layer.ctx;
    const std::string input = equation.substr(0, equation.find(','));
    const std::string output = equation.substr(equation.find("->") + 2);
    const OnnxValue kernel = wideWeight(layer, "kernel");
    const OnnxValue given = inTypeOf(layer, layer.input(0), kernel);
    if (equation.find("...") != std::string::npos || input.size() != ctx.rank(given)) {
        layer.refuse(fmt::format("quantized weights with the equation \"{}\"", equation), "equation");
    }
    Ints contracted;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (output.find(input[i]) == std::string::npos) {
            contracted.push_back(static_cast<std::int64_t>(i));
        }
    }
    const Quantized x = quantized(ctx, given, contracted);
    const OnnxValue product = ctx.emit("Einsum", {x.x, kernel}, {{"equation", equation}});
    const OnnxValue scale =
        ctx.emit("Mul", {scaleOfOutput(ctx, x.scale, input, output, contracted), layer.weight("kernel_scale")});
    return {activated(layer, withBias(layer, ctx.emit("Div", {product, scale})))};
}

OnnxValues einsumDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::string equation = layer.settings.text("equation");
    if (equation.find("->") == std::string::npos || equation.find(',') == std::string::npos) {
        ctx.invalid(fmt::format("equation \"{}\" has no output or only one operand", equation), "equation");
    }
    if (layer.isInt8()) {
        return quantizedEinsum(layer, equation);
    }
    const OnnxValue kernel = layer.weight("kernel");
    const OnnxValue x = inTypeOf(layer, layer.input(0), kernel);
    OnnxValue y = ctx.emit("Einsum", {x, kernel}, {{"equation", equation}});
    if (layer.hasWeight("bias")) { // has axes of 1 where the output has others
        y = ctx.emit("Add", {y, layer.weight("bias")});
    }
    return {activated(layer, y)};
}

OnnxValues embedding(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue table = layer.weight("embeddings", Shape(2));
    OnnxValue ids = layer.input(0);
    if (ctx.element(ids) != ElementType::Int32 && ctx.element(ids) != ElementType::Int64) {
        ids = emit::cast(ctx, ids, ElementType::Int32);
    }
    if (layer.isInt8()) {
        const OnnxValue rows = emit::gather(ctx, wideWeight(layer, "embeddings"), ids, 0);
        const OnnxValue scales = emit::gather(ctx, layer.weight("embeddings_scale", Shape(1)), ids, 0);
        return {ctx.emit("Div", {rows, emit::unsqueeze(ctx, scales, {static_cast<std::int64_t>(ctx.rank(ids))})})};
    }
    return {emit::gather(ctx, table, ids, 0)};
}

/// An Embedding, or with `reverse` the scores of all tokens, from the same table or from one of its own.
OnnxValues reversibleEmbedding(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    if (!layer.settings.below("call").boolean("reverse", false)) {
        return embedding(layer);
    }
    if (!layer.settings.text("reverse_dtype").empty()) {
        layer.refuse("a reverse_dtype", "reverse_dtype");
    }
    const bool isTied = !layer.hasWeight("reverse_embeddings");
    const OnnxValue table = layer.weight(isTied ? "embeddings" : "reverse_embeddings", Shape(2));
    OnnxValue y = matrixProduct(ctx, layer.input(0), table, false, isTied);
    if (layer.settings.has("logit_soft_cap")) {
        const OnnxValue cap = emit::scalarLike(ctx, y, layer.settings.number("logit_soft_cap", 1));
        y = ctx.emit("Mul", {elementary::tanh(ctx, ctx.emit("Div", {y, cap})), cap});
    }
    return {y};
}

/// Steps of which all features have the value become zero.
OnnxValues masking(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const OnnxValue value = emit::scalarLike(ctx, x, layer.settings.number("mask_value", 0));
    const OnnxValue differs = emit::cast(ctx, arithmetic::notEqual(ctx, x, value), ElementType::Float32);
    const OnnxValue isTaken =
        emit::reduce(ctx, "ReduceMax", differs, {static_cast<std::int64_t>(ctx.rank(x)) - 1}, true);
    return {ctx.emit("Mul", {x, emit::cast(ctx, isTaken, ctx.element(x))})};
}

/// Keras 1: the largest of several linear functions.
OnnxValues maxoutDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue kernel = layer.weight("kernel", Shape(3));
    const OnnxValue x = emit::unsqueeze(ctx, layer.input(0), {0});
    OnnxValue y = ctx.emit("MatMul", {x, kernel});
    if (layer.hasWeight("bias")) {
        y = ctx.emit("Add", {y, emit::unsqueeze(ctx, layer.weight("bias", Shape(2)), {1})});
    }
    return {emit::reduce(ctx, "ReduceMax", y, {0}, false)};
}

/// Keras 1: t act(x W + b) + (1 - t) x with t = sigmoid(x Wc + bc).
OnnxValues highway(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const auto affine = [&](const char* kernel, const char* bias) {
        const OnnxValue y = ctx.emit("MatMul", {x, layer.weight(kernel, Shape(2))});
        return layer.hasWeight(bias) ? ctx.emit("Add", {y, layer.weight(bias)}) : y;
    };
    const OnnxValue share = elementary::sigmoid(ctx, affine("carry_kernel", "carry_bias"));
    const OnnxValue taken = ctx.emit("Mul", {share, activated(layer, affine("kernel", "bias"))});
    const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, x, 1), share});
    return {ctx.emit("Add", {taken, ctx.emit("Mul", {rest, x})})};
}

OnnxValues layerScale(const Layer& layer)
{
    return {layer.ctx.emit("Mul", {layer.input(0), layer.weight("gamma", Shape(1))})};
}
} // namespace

std::span<const OpRow> coreLayers()
{
    static constexpr OpRow rows[] = {
        {"ActivityRegularization", identityLayer, ""},
        {"AlphaDropout", identityLayer, ""},
        {"Dense", dense, "MatMul, Add"},
        {"Dropout", identityLayer, ""},
        {"EinsumDense", einsumDense, "Einsum, Add"},
        {"Embedding", embedding, "Gather"},
        {"GaussianDropout", identityLayer, ""},
        {"GaussianNoise", identityLayer, ""},
        {"Highway", highway, "MatMul, Sigmoid"},
        {"Identity", identityLayer, ""},
        {"LayerScale", layerScale, "Mul"},
        {"Masking", masking, "ReduceMax, Mul"},
        {"MaxoutDense", maxoutDense, "MatMul, ReduceMax"},
        {"ReversibleEmbedding", reversibleEmbedding, "Gather; MatMul"},
        {"SpatialDropout1D", identityLayer, ""},
        {"SpatialDropout2D", identityLayer, ""},
        {"SpatialDropout3D", identityLayer, ""},
        {"StochasticDepth", identityLayer, ""},
    };
    return rows;
}

} // namespace crosswalk::keras
