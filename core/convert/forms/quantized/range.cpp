#include "core/convert/forms/quantized/range.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::forms::quantized {
namespace {

OnnxValue computed(const NodeContext& ctx, std::string_view op, OnnxValue a, OnnxValue b, float (*at)(float, float))
{
    const auto left = storedFloat(ctx, a);
    const auto right = storedFloat(ctx, b);
    return left && right ? number(ctx, at(*left, *right)) : ctx.emit(op, {a, b});
}

} // namespace

std::optional<float> storedFloat(const NodeContext& ctx, OnnxValue x)
{
    const Tensor* content = ctx.onnx.content(x);
    return content != nullptr ? std::optional(static_cast<float>(content->toDoubles().at(0))) : std::nullopt;
}

OnnxValue number(const NodeContext& ctx, float value)
{
    return ctx.onnx.scalar(ElementType::Float32, static_cast<double>(value));
}

OnnxValue magnitude(const NodeContext& ctx, OnnxValue x)
{
    const auto value = storedFloat(ctx, x);
    return value ? number(ctx, std::abs(*value)) : ctx.emit("Abs", {x});
}

OnnxValue negative(const NodeContext& ctx, OnnxValue x)
{
    const auto value = storedFloat(ctx, x);
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

OnnxValue quantize(const NodeContext& ctx, OnnxValue x, OnnxValue scale, ElementType type)
{
    const OnnxValue levels = storedFloat(ctx, scale) == 1.0F ? x : ctx.emit("Mul", {x, scale});
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
        ctx.invalid(fmt::format("{} requires int8 or uint8, not {}", ctx.node.op, elementTypeName(type)));
    }
}

} // namespace crosswalk::forms::quantized
