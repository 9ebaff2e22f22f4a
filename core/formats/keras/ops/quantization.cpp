#include "core/formats/keras/ops/quantization.h"

#include "core/convert/forms/linalg/matrix_product.h"

#include <array>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

constexpr double largestFloat8 = 448; ///< of the type e4m3fn

/// The quantizer of the inputs; a layer without one has quantized weights only.
struct InputQuantizer {
    double low = -127;
    double high = 127;
    double epsilon = 1e-7;
    std::optional<std::int64_t> axis; ///< that its settings name
};

bool isReversible(const Layer& layer)
{
    return layer.op() == "ReversibleEmbedding";
}

/// Without settings, int8 quantizes the inputs, and so does a ReversibleEmbedding.
std::optional<InputQuantizer> inputQuantizerOf(const Layer& layer)
{
    const Settings config = layer.settings.below("quantization_config");
    if (!layer.settings.hasBelow("quantization_config")) {
        const bool isDefault = layer.policy().mode == "int8" || isReversible(layer);
        return isDefault ? std::optional(InputQuantizer()) : std::nullopt;
    }
    const std::string setting = "config.activation_quantizer";
    if (!config.hasBelow(setting)) {
        return std::nullopt;
    }
    const Settings quantizer = config.below(setting);
    const std::string className = quantizer.text("class_name");
    const Settings values = quantizer.below("config");
    const std::string type = values.text("output_dtype", "int8");
    const std::vector<double> range =
        values.has("value_range") ? values.numbers("value_range") : std::vector<double>{-127, 127};
    if (className != "AbsMaxQuantizer" || type != "int8" || range.size() != 2) {
        layer.refuse(fmt::format("inputs quantized by {} to {}", className, type), quantizer.nameOf("class_name"),
                     "save the model before it is quantized");
    }
    InputQuantizer result{.low = range[0], .high = range[1], .epsilon = values.number("epsilon", 1e-7), .axis = {}};
    if (values.has("axis") && isReversible(layer)) { // the other layers choose the axes themselves
        const Ints axes = values.ints("axis");
        if (axes.size() != 1) {
            layer.refuse(fmt::format("inputs quantized along {} axes", axes.size()), values.nameOf("axis"));
        }
        result.axis = axes.front();
    }
    return result;
}

/// x as whole numbers of its type, and the scale that it was multiplied by, which has size 1 on the axes.
struct Quantized {
    OnnxValue x;
    OnnxValue scale;
};

Quantized quantized(const NodeContext& ctx, OnnxValue x, const Ints& axes, const InputQuantizer& quantizer)
{
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const OnnxValue largest = emit::reduce(ctx, "ReduceMax", ctx.emit("Abs", {x}), axes, true);
    const OnnxValue scale =
        ctx.emit("Div", {number(quantizer.high), ctx.emit("Add", {largest, number(quantizer.epsilon)})});
    const OnnxValue whole = ctx.emit("Round", {ctx.emit("Mul", {x, scale})});
    return {emit::clip(ctx, whole, quantizer.low, quantizer.high), scale};
}

/// A stored weight of whole numbers in the type of the layer.
OnnxValue wideWeight(const Layer& layer, const std::string& weight)
{
    return emit::cast(layer.ctx, layer.storedWeight(weight), workType(layer));
}

/// The numbers of groups to which the elements of an axis belong.
OnnxValue groups(const Layer& layer)
{
    return emit::cast(layer.ctx, layer.storedWeight("g_idx"), ElementType::Int64);
}

/// Whole numbers, less the zero points of their groups, times their scales. `axis` of the groups.
OnnxValue fromGroups(const Layer& layer, OnnxValue whole, OnnxValue scales, OnnxValue zeros, std::int64_t axis)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue group = groups(layer);
    const OnnxValue scale = emit::gather(ctx, scales, group, axis);
    const OnnxValue zero = emit::gather(ctx, emit::cast(ctx, zeros, ctx.element(scale)), group, axis);
    return ctx.emit("Mul", {ctx.emit("Sub", {whole, zero}), scale});
}

bool hasGroups(const Layer& layer)
{
    return layer.policy().mode == "int4" && layer.policy().block > 0;
}

/// Weights that a calibration rounded (GPTQ, AWQ): stored as (out, in), with a scale and a zero point for each group of
/// inputs. AWQ divides by what it multiplied the inputs' weights by before.
OnnxValue calibratedKernel(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue rows = fromGroups(layer, wideWeight(layer, "kernel"), layer.weight("kernel_scale"),
                                      layer.storedWeight("kernel_zero"), 1);
    const OnnxValue kernel = emit::transpose(ctx, rows, {1, 0});
    if (layer.policy().mode != "awq") {
        return kernel;
    }
    return ctx.emit("Div", {kernel, emit::unsqueeze(ctx, layer.weight("awq_scales"), {1})});
}

/// Numbers within the limits of the eight-bit type e4m3fn, rounded to it: to multiples of a step that doubles with each
/// power of two from 2^-5 on.
OnnxValue roundedToFloat8(const NodeContext& ctx, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    if (ctx.onnx.opset() >= 19) {
        const auto float8 = static_cast<std::int64_t>(ElementType::Float8E4M3FN);
        return emit::cast(ctx, ctx.emit("Cast", {x}, {{"to", float8}}), type);
    }
    constexpr int lowest = -5;
    constexpr int count = 14;
    std::array<double, count> powers{};
    std::array<double, count + 1> steps{};
    steps[0] = std::ldexp(1.0, lowest - 4);
    for (int i = 0; i < count; ++i) {
        powers[static_cast<std::size_t>(i)] = std::ldexp(1.0, lowest + i);
        steps[static_cast<std::size_t>(i) + 1] = std::ldexp(1.0, lowest - 3 + i);
    }
    const auto vector = [&](std::span<const double> values) {
        const Ints dims{static_cast<std::int64_t>(values.size())};
        return ctx.onnx.constant(Tensor::of(ElementType::Float64, dims, values).converted(type));
    };
    const auto last = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue magnitude = emit::unsqueeze(ctx, ctx.emit("Abs", {x}), {last});
    const OnnxValue isBelow = emit::cast(ctx, ctx.emit("Less", {magnitude, vector(powers)}), ElementType::Int32);
    const OnnxValue below = emit::reduce(ctx, "ReduceSum", isBelow, {last}, false);
    const OnnxValue place = ctx.emit("Sub", {ctx.onnx.scalar(ElementType::Int32, count), below});
    const OnnxValue step = emit::gather(ctx, vector(steps), place, 0);
    return ctx.emit("Mul", {ctx.emit("Round", {ctx.emit("Div", {x, step})}), step});
}

/// x rounded to eight bits at a scale.
OnnxValue throughFloat8(const Layer& layer, OnnxValue x, const std::string& scaleName)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue scale = emit::cast(ctx, layer.weight(scaleName), ctx.element(x));
    OnnxValue y = ctx.emit("Div", {x, scale});
    if (layer.computeType() == ElementType::BFloat16) {
        y = emit::cast(ctx, emit::cast(ctx, y, ElementType::BFloat16), ctx.element(x));
    }
    return ctx.emit("Mul", {roundedToFloat8(ctx, emit::clip(ctx, y, -largestFloat8, largestFloat8)), scale});
}

/// Whole numbers and one scale for each column, before or after the contraction.
OnnxValue contractedByChannels(const Layer& layer, OnnxValue x, const Contraction& contraction)
{
    const NodeContext& ctx = layer.ctx;
    const auto quantizer = inputQuantizerOf(layer);
    const OnnxValue whole = wideWeight(layer, "kernel");
    const bool isScaledFirst = layer.policy().mode == "int4" && layer.op() == "EinsumDense";
    const OnnxValue scale = layer.weight("kernel_scale");
    const OnnxValue kernel =
        emit::reshape(ctx, isScaledFirst ? ctx.emit("Div", {whole, scale}) : whole, contraction.kernelDims);
    const Quantized given = quantizer ? quantized(ctx, x, contraction.axes, *quantizer) : Quantized{x, {}};
    const OnnxValue product = contraction.multiply(given.x, kernel);
    if (isScaledFirst) {
        return quantizer ? ctx.emit("Div", {product, contraction.aligned(given.scale)}) : product;
    }
    const OnnxValue perColumn = contraction.kernelScale(scale);
    const OnnxValue divisor = quantizer ? ctx.emit("Mul", {contraction.aligned(given.scale), perColumn}) : perColumn;
    return ctx.emit("Div", {product, divisor});
}

/// The correction of low rank (LoRA) beside a quantized kernel.
OnnxValue withLowRank(const Layer& layer, OnnxValue y, OnnxValue x, const Contraction& contraction)
{
    if (!layer.hasWeight("lora_kernel_a")) {
        return y;
    }
    const NodeContext& ctx = layer.ctx;
    if (layer.op() != "Dense") {
        layer.refuse("a correction of low rank beside quantized weights", "lora_rank");
    }
    const double rank = layer.settings.number("lora_rank", 1);
    const double share = layer.settings.number("lora_alpha", rank) / rank;
    const OnnxValue low = contraction.multiply(x, layer.weight("lora_kernel_a"));
    const OnnxValue product = ctx.emit("MatMul", {low, layer.weight("lora_kernel_b")});
    return ctx.emit("Add", {y, ctx.emit("Mul", {product, emit::scalarLike(ctx, product, share)})});
}

/// The scores x W / scales, of whole numbers W (features, tokens).
OnnxValue scores(const Layer& layer, OnnxValue x, OnnxValue table, const std::string& name, bool isTransposed)
{
    const NodeContext& ctx = layer.ctx;
    const auto quantizer = inputQuantizerOf(layer);
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const Ints axes{quantizer && quantizer->axis ? ctx.axis(*quantizer->axis, ctx.rank(x)) : last};
    const Quantized given = quantizer ? quantized(ctx, x, axes, *quantizer) : Quantized{x, {}};
    if (hasGroups(layer)) {
        OnnxValue scales = layer.weight(name + "_scale");
        OnnxValue zeros = layer.storedWeight(name + "_zero");
        if (isTransposed) {
            scales = emit::transpose(ctx, scales, {1, 0});
            zeros = emit::transpose(ctx, zeros, {1, 0});
            table = emit::transpose(ctx, table, {1, 0});
        }
        const OnnxValue y = ctx.emit("MatMul", {given.x, fromGroups(layer, table, scales, zeros, 0)});
        return quantizer ? ctx.emit("Div", {y, given.scale}) : y;
    }
    const OnnxValue y = forms::matrixProduct(ctx, given.x, table, false, isTransposed);
    const OnnxValue scale = layer.weight(name + "_scale");
    return ctx.emit("Div", {y, quantizer ? ctx.emit("Mul", {given.scale, scale}) : scale});
}

} // namespace

ElementType workType(const Layer& layer)
{
    const ElementType type = layer.computeType().value_or(ElementType::Float32);
    return type == ElementType::BFloat16 ? ElementType::Float32 : type;
}

bool isCalibrated(const Layer& layer)
{
    return layer.policy().mode == "gptq" || layer.policy().mode == "awq";
}

OnnxValue contracted(const Layer& layer, OnnxValue x, const Contraction& contraction)
{
    const NodeContext& ctx = layer.ctx;
    const std::string& mode = layer.policy().mode;
    if (mode.empty()) {
        return contraction.multiply(x, emit::reshape(ctx, layer.weight("kernel"), contraction.kernelDims));
    }
    if (mode == "float8") {
        const OnnxValue kernel = emit::reshape(ctx, layer.weight("kernel"), contraction.kernelDims);
        return contraction.multiply(throughFloat8(layer, x, "inputs_scale"),
                                    throughFloat8(layer, kernel, "kernel_scale"));
    }
    if (isCalibrated(layer)) {
        return contraction.multiply(x, emit::reshape(ctx, calibratedKernel(layer), contraction.kernelDims));
    }
    OnnxValue y;
    if (hasGroups(layer)) {
        const OnnxValue kernel = fromGroups(layer, wideWeight(layer, "kernel"), layer.weight("kernel_scale"),
                                            layer.storedWeight("kernel_zero"), 0);
        y = contraction.multiply(x, emit::reshape(ctx, kernel, contraction.kernelDims));
    } else {
        y = contractedByChannels(layer, x, contraction);
    }
    return withLowRank(layer, y, x, contraction);
}

OnnxValue timesMatrix(const Layer& layer, OnnxValue x, std::int64_t in, std::int64_t out)
{
    const NodeContext& ctx = layer.ctx;
    const Contraction contraction{
        .multiply =
            [&](OnnxValue a, OnnxValue b) {
                return ctx.emit("MatMul", {a, b});
            },
        .axes = {static_cast<std::int64_t>(ctx.rank(x)) - 1},
        .kernelDims = {in, out},
        .aligned = [](OnnxValue scale) { return scale; },
        .kernelScale = [&](OnnxValue scale) { return emit::reshape(ctx, scale, Ints{out}); },
    };
    return contracted(layer, x, contraction);
}

OnnxValue biasOf(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue bias = layer.weight("bias");
    const bool isSingle = layer.computeType().value_or(ElementType::Float32) == ElementType::Float32;
    if (layer.policy().mode != "float8" || !isSingle) {
        return bias;
    }
    // Keras rounds it to 16 bits, for the kernels of graphics cards.
    return emit::cast(ctx, emit::cast(ctx, bias, ElementType::BFloat16), ElementType::Float32);
}

OnnxValue quantizedRows(const Layer& layer, OnnxValue ids)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue rows = emit::gather(ctx, wideWeight(layer, "embeddings"), ids, 0);
    const OnnxValue scales = emit::gather(ctx, layer.weight("embeddings_scale"), ids, 0);
    OnnxValue y;
    if (hasGroups(layer)) {
        const OnnxValue zeros = emit::gather(ctx, layer.storedWeight("embeddings_zero"), ids, 0);
        y = fromGroups(layer, rows, scales, zeros, static_cast<std::int64_t>(ctx.rank(ids)));
    } else {
        y = ctx.emit("Div", {rows, emit::unsqueeze(ctx, scales, {static_cast<std::int64_t>(ctx.rank(ids))})});
    }
    if (!layer.hasWeight("lora_embeddings_a")) {
        return y;
    }
    const double rank = layer.settings.number("lora_rank", 1);
    const double share = layer.settings.number("lora_alpha", rank) / rank;
    const OnnxValue low = emit::gather(ctx, layer.weight("lora_embeddings_a"), ids, 0);
    const OnnxValue product = ctx.emit("MatMul", {low, layer.weight("lora_embeddings_b")});
    return ctx.emit("Add", {y, ctx.emit("Mul", {product, emit::scalarLike(ctx, product, share)})});
}

OnnxValue quantizedScores(const Layer& layer, OnnxValue x)
{
    const bool isTied = !layer.hasWeight("reverse_embeddings");
    const std::string name = isTied ? "embeddings" : "reverse_embeddings";
    return scores(layer, x, wideWeight(layer, name), name, isTied);
}

} // namespace crosswalk::keras
