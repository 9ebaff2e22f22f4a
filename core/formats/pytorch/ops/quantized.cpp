// Tensors of 8-bit integers with a scale and a zero point: x = (number - zero point) scale.

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
    };
    return rows;
}

} // namespace crosswalk::pytorch
