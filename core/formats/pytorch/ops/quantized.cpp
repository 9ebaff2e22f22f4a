// Tensors of 8-bit integers with a scale and a zero point, x = (number - zero point) scale, and fake quantization.

#include "core/formats/pytorch/ops/dynamic_product.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"

#include <limits>

namespace crosswalk::pytorch {
namespace {

/// The type of the numbers; int32 where a tensor of their range is not 8-bit.
ElementType quantizedNumberType(const NodeContext& ctx, const Arguments& arguments)
{
    const ElementType type = arguments.type("dtype", ElementType::Int8);
    if (!isInteger(type)) {
        ctx.refuse("it quantizes to a type that is not an integer type", "dtype");
    }
    return type;
}

/// A scale or a zero point for the whole tensor, or for each index of `axis`, to be broadcast against x.
OnnxValue quantizationParameter(const NodeContext& ctx, const Arguments& arguments, std::string_view name, OnnxValue x,
                                bool isPerChannel, ElementType type)
{
    if (!isPerChannel) {
        return asScalar(ctx, operand(ctx, arguments, name, type));
    }
    const OnnxValue vector = emit::cast(ctx, arguments.tensor(name), type);
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    Ints behind;
    for (std::int64_t i = arguments.axis("axis", 0, ctx.rank(x)) + 1; i < rank; ++i) {
        behind.push_back(static_cast<std::int64_t>(behind.size()) + 1);
    }
    return behind.empty() ? vector : emit::unsqueeze(ctx, vector, behind);
}

/// round(x / scale) + zero point, halves to even, by the reciprocal of the scale.
template <bool isPerChannel>
OnnxValues quantizedBy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = emit::cast(ctx, arguments.tensor("input"), ElementType::Float32);
    const OnnxValue scale =
        quantizationParameter(ctx, arguments, isPerChannel ? "scales" : "scale", x, isPerChannel, ElementType::Float32);
    const OnnxValue zeroPoint = quantizationParameter(ctx, arguments, isPerChannel ? "zero_points" : "zero_point", x,
                                                      isPerChannel, ElementType::Float32);
    const OnnxValue steps = ctx.emit("Round", {ctx.emit("Mul", {x, ctx.emit("Reciprocal", {scale})})});
    const OnnxValue numbers = emit::clip(ctx, ctx.emit("Add", {steps, zeroPoint}), arguments.number("quant_min", 0),
                                         arguments.number("quant_max", 0));
    return {emit::cast(ctx, numbers, quantizedNumberType(ctx, arguments))};
}

template <bool isPerChannel>
OnnxValues dequantizedBy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue numbers = emit::cast(ctx, arguments.tensor("input"), ElementType::Float32);
    const OnnxValue scale = quantizationParameter(ctx, arguments, isPerChannel ? "scales" : "scale", numbers,
                                                  isPerChannel, ElementType::Float32);
    const std::string_view zeroPoint = isPerChannel ? "zero_points" : "zero_point";
    OnnxValue shifted = numbers;
    if (arguments.has(zeroPoint)) {
        shifted = ctx.emit("Sub", {numbers, quantizationParameter(ctx, arguments, zeroPoint, numbers, isPerChannel,
                                                                  ElementType::Float32)});
    }
    return {emit::cast(ctx, ctx.emit("Mul", {shifted, scale}), arguments.type("out_dtype", ElementType::Float32))};
}

/// determine_qparams in torch/ao/quantization/utils.py, which computes in float32.
OnnxValues chooseParameters(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const double least = arguments.number("quant_min", 0);
    const double most = arguments.number("quant_max", 0);
    const auto [low, high] = quantizationRange(ctx, arguments.tensor("input"), ElementType::Float32);
    const OnnxValue levels = ctx.onnx.scalar(ElementType::Float32, most - least);
    const OnnxValue scale = ctx.emit(
        "Max", {ctx.emit("Div", {ctx.emit("Sub", {high, low}), levels}),
                ctx.onnx.scalar(ElementType::Float32,
                                arguments.number("eps", static_cast<double>(std::numeric_limits<float>::epsilon())))});
    const OnnxValue shift = ctx.emit("Round", {ctx.emit("Div", {low, scale})});
    const OnnxValue zeroPoint =
        emit::clip(ctx, ctx.emit("Sub", {ctx.onnx.scalar(ElementType::Float32, least), shift}), least, most);
    return {emit::cast(ctx, scale, ElementType::Float64), emit::cast(ctx, zeroPoint, ElementType::Int64)};
}

OnnxValues dynamicLinear(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const QuantizedWeight weight{arguments.tensor("weight"), operand(ctx, arguments, "scale", ElementType::Float32),
                                 operand(ctx, arguments, "zero_point", ElementType::Int8), arguments.optional("bias")};
    return {dynamicProduct(ctx, arguments.tensor("self"), weight, arguments.truth("reduce_range"))};
}

/// round(x / scale) + zero point within the integers, back to a floating number, and where it was within them. A zero
/// point that may be a fraction is rounded with the steps.
OnnxValues fakeQuantized(const NodeContext& ctx, const Arguments& arguments, OnnxValue scale, OnnxValue zeroPoint,
                         bool isFraction)
{
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue steps = ctx.emit("Mul", {x, ctx.emit("Reciprocal", {scale})});
    const OnnxValue whole = isFraction ? ctx.emit("Round", {ctx.emit("Add", {steps, zeroPoint})})
                                       : ctx.emit("Add", {ctx.emit("Round", {steps}), zeroPoint});
    const OnnxValue number =
        emit::clip(ctx, whole, arguments.number("quant_min", 0), arguments.number("quant_max", 255));
    const OnnxValue y = ctx.emit("Mul", {ctx.emit("Sub", {number, zeroPoint}), scale});
    return ctx.node.outputs.size() < 2 ? OnnxValues{y} : OnnxValues{y, ctx.emit("Equal", {whole, number})};
}

OnnxValues fakeQuantizeTensor(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const auto parameter = [&](std::string_view name) {
        return quantizationParameter(ctx, arguments, name, x, false, ctx.element(x));
    };
    return fakeQuantized(ctx, arguments, parameter("scale"), parameter("zero_point"), false);
}

/// The same if the integer part of a tensor differs from 0; x otherwise.
OnnxValues fakeQuantizeTensorIfEnabled(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue flag = asScalar(ctx, emit::cast(ctx, arguments.tensor("fake_quant_enabled"), ElementType::Int64));
    const OnnxValue isEnabled = emit::cast(ctx, flag, ElementType::Bool);
    OnnxValues results = fakeQuantizeTensor(ctx);
    results[0] = ctx.emit("Where", {isEnabled, results[0], arguments.tensor("self")});
    if (results.size() > 1) {
        results[1] = ctx.emit("Or", {results[1], ctx.emit("Not", {isEnabled})});
    }
    return results;
}

OnnxValues fakeQuantizeChannels(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const auto parameter = [&](std::string_view name) {
        return quantizationParameter(ctx, arguments, name, x, true, ctx.element(x));
    };
    const bool isFraction = isFloating(ctx.element(arguments.tensor("zero_point")));
    return fakeQuantized(ctx, arguments, parameter("scale"), parameter("zero_point"), isFraction);
}

} // namespace

std::span<const OpRow> quantizedOps()
{
    static constexpr OpRow rows[] = {
        {"quantized_decomposed::quantize_per_tensor", quantizedBy<false>, "Mul, Round, Add, Cast"},
        {"quantized_decomposed::quantize_per_channel", quantizedBy<true>, "Mul, Round, Add, Cast"},
        {"quantized_decomposed::dequantize_per_tensor", dequantizedBy<false>, "Cast, Sub, Mul"},
        {"quantized_decomposed::dequantize_per_channel", dequantizedBy<true>, "Cast, Sub, Mul"},
        {"quantized_decomposed::choose_qparams", chooseParameters, "ReduceMin, ReduceMax, Div, Round"},
        {"quantized::linear_dynamic", dynamicLinear, "ReduceMin, ReduceMax, Round, MatMulInteger"},
        {"aten::fake_quantize_per_tensor_affine", fakeQuantizeTensor, "Mul, Round, Max, Min"},
        {"aten::fake_quantize_per_channel_affine", fakeQuantizeChannels, "Mul, Round, Max, Min"},
        {"aten::fake_quantize_per_tensor_affine_cachemask", fakeQuantizeTensor, "Mul, Round, Max, Min"},
        {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", fakeQuantizeTensorIfEnabled,
         "Mul, Round, Max, Min, Where"},
        {"aten::fake_quantize_per_channel_affine_cachemask", fakeQuantizeChannels, "Mul, Round, Max, Min"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
