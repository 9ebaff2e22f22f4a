#include "core/formats/mxnet/ops/quantized/range.h"

#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet::quantized {
namespace {

std::optional<float> stored(const NodeContext& ctx, OnnxValue x)
{
    const Tensor* content = ctx.onnx.content(x);
    return content != nullptr ? std::optional(static_cast<float>(content->toDoubles().at(0))) : std::nullopt;
}

OnnxValue computed(const NodeContext& ctx, std::string_view op, OnnxValue a, OnnxValue b, float (*at)(float, float))
{
    const auto left = stored(ctx, a);
    const auto right = stored(ctx, b);
    return left && right ? number(ctx, at(*left, *right)) : ctx.emit(op, {a, b});
}

} // namespace

OnnxValue number(const NodeContext& ctx, float value)
{
    return ctx.onnx.scalar(ElementType::Float32, static_cast<double>(value));
}

OnnxValue magnitude(const NodeContext& ctx, OnnxValue x)
{
    const auto value = stored(ctx, x);
    return value ? number(ctx, std::abs(*value)) : ctx.emit("Abs", {x});
}

OnnxValue negative(const NodeContext& ctx, OnnxValue x)
{
    const auto value = stored(ctx, x);
    return value ? number(ctx, -*value) : ctx.emit("Neg", {x});
}

OnnxValue larger(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computed(ctx, "Max", a, b, [](float x, float y) { return std::max(x, y); });
}

OnnxValue smaller(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computed(ctx, "Min", a, b, [](float x, float y) { return std::min(x, y); });
}

OnnxValue sum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computed(ctx, "Add", a, b, [](float x, float y) { return x + y; });
}

OnnxValue product(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computed(ctx, "Mul", a, b, [](float x, float y) { return x * y; });
}

OnnxValue quotient(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computed(ctx, "Div", a, b, [](float x, float y) { return x / y; });
}

Range Range::ofInputs(const NodeContext& ctx, std::size_t low, std::size_t high)
{
    const auto bound = [&](std::size_t i) {
        const OnnxValue given = ctx.input(i);
        if (ctx.element(given) != ElementType::Float32) {
            ctx.invalid(
                fmt::format("input {} is a bound of a range: float32, not {}", i, elementTypeName(ctx.element(given))));
        }
        return emit::reshape(ctx, given, Ints{});
    };
    return {bound(low), bound(high)};
}

std::optional<Range> Range::calibrated(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto low = attributes.optionalNumber("min_calib_range");
    const auto high = attributes.optionalNumber("max_calib_range");
    if (!low || !high) {
        return std::nullopt;
    }
    return Range{number(ctx, static_cast<float>(*low)), number(ctx, static_cast<float>(*high))};
}

Range Range::around(const NodeContext& ctx, OnnxValue reach)
{
    return {negative(ctx, reach), reach};
}

OnnxValue Range::reach(const NodeContext& ctx) const
{
    return larger(ctx, magnitude(ctx, low), magnitude(ctx, high));
}

OnnxValues Range::with(const NodeContext& ctx, OnnxValue numbers) const
{
    return {numbers, emit::unsqueeze(ctx, low, {0}), emit::unsqueeze(ctx, high, {0})};
}

float levels(ElementType type)
{
    return type == ElementType::UInt8 ? 255.0F : type == ElementType::Int8 ? 127.0F : 2147483648.0F;
}

float span(ElementType type)
{
    return type == ElementType::UInt8 ? 255.5F : type == ElementType::Int8 ? 127.5F : levels(type);
}

OnnxValue scaleOf(const NodeContext& ctx, ElementType type, const Range& range)
{
    return quotient(ctx, number(ctx, span(type)), range.reach(ctx));
}

ElementType outputType(const NodeContext& ctx)
{
    const std::string type = Attributes(ctx).choice("out_type", {"auto", "int8", "uint8"}, "int8");
    if (type != "auto") {
        return type == "uint8" ? ElementType::UInt8 : ElementType::Int8;
    }
    const auto range = Range::calibrated(ctx);
    return range && stored(ctx, range->low).value_or(-1) >= 0 ? ElementType::UInt8 : ElementType::Int8;
}

OnnxValue quantize(const NodeContext& ctx, OnnxValue x, OnnxValue scale, ElementType type)
{
    const OnnxValue levels = stored(ctx, scale) == 1.0F ? x : ctx.emit("Mul", {x, scale});
    return ctx.emit("QuantizeLinear", {levels, number(ctx, 1), ctx.onnx.scalar(type, 0)});
}

OnnxValue largestMagnitude(const NodeContext& ctx, OnnxValue x)
{
    return emit::reduce(ctx, "ReduceMax", ctx.emit("Abs", {x}), {}, false);
}

void expectBytes(const NodeContext& ctx, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    if (type != ElementType::Int8 && type != ElementType::UInt8) {
        ctx.invalid(fmt::format("{} takes int8 or uint8, not {}", ctx.node.op, elementTypeName(type)));
    }
}

} // namespace crosswalk::mxnet::quantized
