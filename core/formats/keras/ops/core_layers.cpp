// Dense, EinsumDense, Embedding, Masking, and layers that do nothing at inference.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/quantization.h"
#include "core/graph/shape_fit.h"

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

OnnxValue withBias(const Layer& layer, OnnxValue y)
{
    return layer.hasWeight("bias") ? layer.ctx.emit("Add", {y, biasOf(layer)}) : y;
}

/// With the columns of a kernel that may be packed into bytes in the file.
OnnxValues quantizedDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = emit::cast(ctx, layer.input(0), workType(layer));
    const OnnxValue kernel = layer.storedWeight("kernel");
    const std::int64_t in = isCalibrated(layer) ? 1 : 0; // GPTQ and AWQ store the matrix transposed
    const OnnxValue y = timesMatrix(layer, x, ctx.fixedDim(kernel, in), ctx.fixedDim(kernel, 1 - in));
    return {activated(layer, withBias(layer, y))};
}

OnnxValues dense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Shape& shape = ctx.shape(layer.input(0));
    if (shape.empty()) {
        ctx.invalid("its input is a single number");
    }
    if (layer.isQuantized()) {
        return quantizedDense(layer);
    }
    const OnnxValue kernel = layer.weight("kernel", {shape.back(), layer.settings.size("units")});
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

/// The axes of an equation by letters.
struct Equation {
    std::string input;
    std::string kernel;
    std::string output;
};

Equation equationOf(const std::string& text)
{
    const auto comma = text.find(',');
    const auto arrow = text.find("->");
    return {text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
}

/// The setting output_shape, which leaves out the batch axis; -1 for a size that it leaves to the input.
Ints outputSizes(const Settings& settings)
{
    const AttributeValue* value = settings.find("output_shape");
    const auto* list = value != nullptr ? std::get_if<AttributeList>(value) : nullptr;
    if (value == nullptr || list == nullptr) {
        return settings.ints("output_shape", {});
    }
    Ints sizes;
    for (const AttributeValue& item : *list) {
        const auto* size = std::get_if<std::int64_t>(&item);
        sizes.push_back(size != nullptr ? *size : -1);
    }
    return sizes;
}

/// The dimensions of the kernel by those of the input and by the output's that the settings give.
Ints kernelDimsOf(const Layer& layer, const Equation& equation, OnnxValue x)
{
    const Ints output = outputSizes(layer.settings);
    Ints dims;
    for (const char letter : equation.kernel) {
        if (const auto place = equation.input.find(letter); place != std::string::npos) {
            dims.push_back(layer.ctx.fixedDim(x, static_cast<std::int64_t>(place)));
            continue;
        }
        const auto fromEnd = equation.output.size() - equation.output.find(letter);
        if (equation.output.find(letter) == std::string::npos || fromEnd > output.size() ||
            output[output.size() - fromEnd] < 1) {
            layer.refuse(fmt::format("a kernel packed into bytes whose axis {} has no size in output_shape", letter),
                         "output_shape");
        }
        dims.push_back(output[output.size() - fromEnd]);
    }
    return dims;
}

OnnxValues quantizedEinsum(const Layer& layer, const std::string& text)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = emit::cast(ctx, layer.input(0), workType(layer));
    const Equation equation = equationOf(text);
    const bool hasScales = layer.policy().mode != "float8"; // along axes
    if (hasScales && (text.find('.') != std::string::npos || equation.input.size() != ctx.rank(x))) {
        layer.refuse(fmt::format("quantized weights with the equation \"{}\"", text), "equation");
    }
    Contraction contraction{
        .multiply =
            [&](OnnxValue a, OnnxValue b) {
                return ctx.emit("Einsum", {a, b}, {{"equation", text}});
            },
        .axes = {},
        .kernelDims = {},
        .aligned = {},
        .kernelScale = [](OnnxValue scale) { return scale; },
    };
    for (std::size_t i = 0; hasScales && i < equation.input.size(); ++i) {
        if (equation.output.find(equation.input[i]) == std::string::npos) {
            contraction.axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    contraction.aligned = [&](OnnxValue scale) {
        return scaleOfOutput(ctx, scale, equation.input, equation.output, contraction.axes);
    };
    if (layer.policy().mode == "int4" || isCalibrated(layer)) { // the matrix has lost the axes of the kernel
        contraction.kernelDims = kernelDimsOf(layer, equation, x);
    } else {
        const OnnxValue kernel = layer.storedWeight("kernel");
        for (std::size_t i = 0; i < ctx.rank(kernel); ++i) {
            contraction.kernelDims.push_back(ctx.fixedDim(kernel, static_cast<std::int64_t>(i)));
        }
    }
    return {activated(layer, withBias(layer, contracted(layer, x, contraction)))};
}

/// The subscripts of an equation's output; an ellipsis before or after them stands for `elided` axes.
struct EinsumOutput {
    std::string letters;
    std::size_t elided;
    bool isElidedBefore;
};

EinsumOutput outputOf(const std::string& equation, std::size_t rank)
{
    std::string letters = equation.substr(equation.find("->") + 2);
    const bool isElidedBefore = letters.starts_with('.');
    std::erase(letters, '.');
    return {letters, rank - std::min(rank, letters.size()), isElidedBefore};
}

/// The shape of the bias: that of the result from the first of bias_axes on, but 1 on other axes.
Shape biasOfEinsum(const Layer& layer, const EinsumOutput& output, const Shape& y)
{
    const std::string biasAxes = layer.settings.text("bias_axes");
    for (const char letter : biasAxes) {
        if (output.letters.find(letter) == std::string::npos) {
            layer.ctx.invalid(fmt::format("axis {} of bias_axes is not in the output {}", letter, output.letters),
                              "bias_axes");
        }
    }
    Shape bias;
    for (std::size_t i = output.letters.find_first_of(biasAxes); i < output.letters.size(); ++i) {
        const bool isBiased = biasAxes.find(output.letters[i]) != std::string::npos;
        bias.push_back(isBiased ? y[output.isElidedBefore ? i + output.elided : i] : Dim(1));
    }
    if (!output.isElidedBefore) {
        bias.insert(bias.end(), output.elided, Dim(1));
    }
    return bias;
}

/// Throws if the result contradicts output_shape, which has neither the batch axis nor the elided axes.
void requireOutputShape(const Layer& layer, const EinsumOutput& output, const Shape& y)
{
    const Shape given = layer.settings.shape("output_shape");
    const std::size_t first = output.isElidedBefore ? y.size() - std::min(y.size(), given.size()) : 1;
    const std::size_t end = std::min(first + given.size(), y.size());
    if (!fitsShape(Shape(y.iteratorAt(std::min(first, end)), y.iteratorAt(end)), given)) {
        throw ModelError("wrong-weight",
                         fmt::format("its weights give {}, but output_shape is {}", toString(y), toString(given)));
    }
}

OnnxValues einsumDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::string equation = layer.settings.text("equation");
    if (equation.find("->") == std::string::npos || equation.find(',') == std::string::npos) {
        ctx.invalid(fmt::format("equation \"{}\" has no output or only one operand", equation), "equation");
    }
    if (layer.isQuantized()) {
        return quantizedEinsum(layer, equation);
    }
    const OnnxValue kernel = layer.weight("kernel");
    const OnnxValue x = inTypeOf(layer, layer.input(0), kernel);
    OnnxValue y = ctx.emit("Einsum", {x, kernel}, {{"equation", equation}});
    const EinsumOutput output = outputOf(equation, ctx.rank(y));
    requireOutputShape(layer, output, ctx.shape(y));
    if (layer.hasWeight("bias")) {
        y = ctx.emit("Add", {y, layer.weight("bias", biasOfEinsum(layer, output, ctx.shape(y)))});
    }
    return {activated(layer, y)};
}

OnnxValues embedding(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue ids = layer.input(0);
    if (ctx.element(ids) != ElementType::Int32 && ctx.element(ids) != ElementType::Int64) {
        ids = emit::cast(ctx, ids, ElementType::Int32);
    }
    if (layer.isQuantized()) {
        return {quantizedRows(layer, ids)};
    }
    const Shape expected{layer.settings.size("input_dim"), layer.settings.size("output_dim")};
    return {emit::gather(ctx, layer.weight("embeddings", expected), ids, 0)};
}

/// An Embedding, or with `reverse` the scores of all tokens, from the same table or from one of its own.
OnnxValues reversibleEmbedding(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    if (!layer.settings.below("call").boolean("reverse", false)) {
        return embedding(layer);
    }
    if (!layer.isQuantized() && !layer.settings.text("reverse_dtype").empty()) {
        layer.refuse("a reverse_dtype", "reverse_dtype");
    }
    const bool isTied = !layer.hasWeight("reverse_embeddings");
    OnnxValue y =
        layer.isQuantized()
            ? quantizedScores(layer, layer.input(0))
            : matrixProduct(ctx, layer.input(0), layer.weight(isTied ? "embeddings" : "reverse_embeddings", Shape(2)),
                            false, isTied);
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

/// The input of a nested model, which has a type.
OnnxValues nestedInput(const Layer& layer)
{
    const OnnxValue x = layer.input(0);
    const bool isBfloat16 = layer.computeType() == ElementType::BFloat16; // is rounded with other results
    return {isBfloat16 ? x : emit::cast(layer.ctx, x, layer.computeType().value_or(layer.ctx.element(x)))};
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
        {"InputLayer", nestedInput, "Cast"},
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
