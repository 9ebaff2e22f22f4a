// From floats to levels and back, as in MXNet's oneDNN builds, which create its quantized models. Since MXNet 1.6 all
// but `quantize`, `requantize` and the ranges of sums scale by half a level more (quantized::span).

#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/quantized/range_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

using quantized::Range;

void expectFloats(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.element(x) != ElementType::Float32) {
        ctx.invalid(fmt::format("{} requires float32, not {}", ctx.node.op, elementTypeName(ctx.element(x))));
    }
}

/// The levels of x and their range: as given for uint8, around 0 for int8.
OnnxValues quantizedInto(const NodeContext& ctx, OnnxValue x, const Range& range, ElementType type, float span)
{
    const OnnxValue scale = quantized::quotient(ctx, quantized::number(ctx, span), range.reach(ctx));
    const OnnxValue levels = quantized::quantize(ctx, x, scale, type);
    const Range said = type == ElementType::UInt8 ? range : Range::around(ctx, range.reach(ctx));
    return said.with(ctx, levels);
}

OnnxValues quantize(NodeContext& ctx)
{
    expectFloats(ctx, ctx.input(0));
    const bool isUnsigned = Attributes(ctx).choice("out_type", {"int8", "uint8"}, "uint8") == "uint8";
    const ElementType type = isUnsigned ? ElementType::UInt8 : ElementType::Int8;
    return quantizedInto(ctx, ctx.input(0), rangeOfInputs(ctx, 1, 2), type, quantized::levels(type));
}

OnnxValues quantizeV2(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const ElementType type = quantizedOutputType(ctx);
    const auto calibrated = calibratedRange(ctx);
    if (own == ElementType::Int8 || own == ElementType::UInt8) { // already levels: copied unchanged
        const float all = quantized::span(own);
        const Range whole{quantized::number(ctx, own == ElementType::UInt8 ? 0 : -all), quantized::number(ctx, all)};
        return calibrated.value_or(whole).with(ctx, emit::cast(ctx, x, type));
    }
    expectFloats(ctx, x);
    const float span = quantized::span(type);
    if (calibrated) {
        return quantizedInto(ctx, x, *calibrated, type, span);
    }
    const Range met{emit::reduce(ctx, "ReduceMin", x, {}, false), emit::reduce(ctx, "ReduceMax", x, {}, false)};
    return quantizedInto(ctx, x, met, type, span);
}

OnnxValues dequantize(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    quantized::expectBytes(ctx, x);
    const OnnxValue reach = rangeOfInputs(ctx, 1, 2).reach(ctx);
    const OnnxValue scale = quantized::quotient(ctx, reach, quantized::number(ctx, quantized::span(ctx.element(x))));
    // DequantizeLinear is the same product. But ONNX Runtime 1.31 moves that node past a Reshape or a Transpose, and
    // then reads levels of int8 as uint8 (without a zero point), or does not load the model (from opset 21 on).
    return {ctx.emit("Mul", {emit::cast(ctx, x, ElementType::Float32), scale})};
}

/// 32-bit sums as 8-bit levels.
OnnxValues requantize(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) != ElementType::Int32) {
        ctx.invalid(fmt::format("requantize requires int32, not {}", elementTypeName(ctx.element(x))));
    }
    const ElementType type = quantizedOutputType(ctx);
    const OnnxValue sums = emit::cast(ctx, x, ElementType::Float32);
    const OnnxValue all = quantized::number(ctx, quantized::levels(ElementType::Int32));
    const OnnxValue from = rangeOfInputs(ctx, 1, 2).reach(ctx);
    const auto calibrated = calibratedRange(ctx);
    const OnnxValue to =
        calibrated
            ? calibrated->reach(ctx)
            : quantized::quotient(ctx, quantized::product(ctx, quantized::largestMagnitude(ctx, sums), from), all);
    const OnnxValue first = quantized::quotient(ctx, from, all);
    const OnnxValue second = quantized::quotient(ctx, quantized::number(ctx, quantized::levels(type)), to);
    const OnnxValue levels = quantized::quantize(ctx, sums, quantized::product(ctx, first, second), type);
    const Range range = type == ElementType::UInt8 ? Range{quantized::number(ctx, 0), to} : Range::around(ctx, to);
    return range.with(ctx, levels);
}

} // namespace

std::span<const OpRow> quantizationOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_dequantize", dequantize, "Cast, Mul"},
        {"_contrib_quantize", quantize, "Mul, QuantizeLinear"},
        {"_contrib_quantize_v2", quantizeV2, "Mul, QuantizeLinear"},
        {"_contrib_requantize", requantize, "Mul, QuantizeLinear"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
