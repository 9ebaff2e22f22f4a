// Combines 8-bit levels of several ranges.

#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/quantized/range_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

using quantized::Range;

OnnxValue floats(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, ElementType::Float32);
}

OnnxValues concatenated(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t given = attributes.integer("num_args");
    const auto count = static_cast<std::size_t>(given);
    if (given < 1 || ctx.inputCount() != 3 * count) {
        ctx.invalid(fmt::format("num_args = {} requires three times as many inputs, not {}", given, ctx.inputCount()),
                    "num_args");
    }
    Range all{quantized::number(ctx, 0), quantized::number(ctx, 0)};
    ElementType type = ElementType::UInt8;
    for (std::size_t i = 0; i < count; ++i) {
        quantized::expectBytes(ctx, ctx.input(i));
        type = ctx.element(ctx.input(i)) == ElementType::Int8 ? ElementType::Int8 : type;
        const Range range = rangeOfInputs(ctx, count + 2 * i, count + 2 * i + 1);
        all = {quantized::smaller(ctx, all.low, range.low), quantized::larger(ctx, all.high, range.high)};
    }
    const OnnxValue scale = quantized::scaleOf(ctx, type, all);
    OnnxValues parts;
    for (std::size_t i = 0; i < count; ++i) {
        const OnnxValue x = ctx.input(i);
        const Range range = rangeOfInputs(ctx, count + 2 * i, count + 2 * i + 1);
        const OnnxValue change = quantized::quotient(ctx, scale, quantized::scaleOf(ctx, ctx.element(x), range));
        const Tensor* known = ctx.onnx.content(change);
        const bool fits = ctx.element(x) == type && known != nullptr && known->toDoubles().front() == 1;
        parts.push_back(fits ? x : quantized::quantize(ctx, floats(ctx, x), change, type));
    }
    const std::int64_t axis = ctx.axis(attributes.integer("dim", 1), ctx.rank(ctx.input(0)), "dim");
    return all.with(ctx, emit::concat(ctx, parts, axis));
}

/// Sums without calibration stay in 32 bits, rounded to the nearest single-precision number as in MXNet.
OnnxValue sumInto(const NodeContext& ctx, OnnxValue total, ElementType type)
{
    if (type != ElementType::Int32) {
        return quantized::quantize(ctx, total, quantized::number(ctx, 1), type);
    }
    return emit::cast(ctx, ctx.emit("Round", {total}), ElementType::Int32);
}

OnnxValues added(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    quantized::expectBytes(ctx, a);
    quantized::expectBytes(ctx, b);
    const Range ofA = rangeOfInputs(ctx, 2, 3);
    const Range ofB = rangeOfInputs(ctx, 4, 5);
    const bool isMixed = ctx.element(a) != ctx.element(b);
    const auto calibrated = calibratedRange(ctx);
    ElementType type = ElementType::Int32;
    if (calibrated) {
        type = isMixed ? ElementType::Int8 : ctx.element(a);
    }
    const OnnxValue all = quantized::number(ctx, quantized::levels(type));
    const Range range =
        calibrated ? *calibrated : Range::around(ctx, quantized::sum(ctx, ofA.reach(ctx), ofB.reach(ctx)));
    const auto change = [&](OnnxValue x, const Range& own) {
        if (calibrated) {
            return quantized::quotient(ctx, quantized::scaleOf(ctx, type, range),
                                       quantized::scaleOf(ctx, ctx.element(x), own));
        }
        const OnnxValue levels = quantized::number(ctx, quantized::span(ctx.element(x)));
        return quantized::quotient(ctx, quantized::product(ctx, own.reach(ctx), all),
                                   quantized::product(ctx, range.high, levels));
    };
    const auto part = [&](OnnxValue x, const Range& own) {
        const OnnxValue scale = change(x, own);
        if (isMixed && ctx.element(x) == ElementType::UInt8) { // through int8 first
            return floats(ctx, quantized::quantize(ctx, floats(ctx, x), scale, ElementType::Int8));
        }
        return ctx.emit("Mul", {floats(ctx, x), scale});
    };
    return range.with(ctx, sumInto(ctx, ctx.emit("Add", {part(a, ofA), part(b, ofB)}), type));
}

OnnxValues multiplied(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    if (ctx.element(a) != ElementType::Int8 || ctx.element(b) != ElementType::Int8) {
        ctx.invalid("quantized_elemwise_mul takes int8");
    }
    const Range ofA = rangeOfInputs(ctx, 2, 3);
    const Range ofB = rangeOfInputs(ctx, 4, 5);
    const OnnxValue products = ctx.emit("Mul", {floats(ctx, a), floats(ctx, b)}); // exact
    const auto scaled = [&](OnnxValue top) {
        const OnnxValue scale =
            quantized::quotient(ctx, quantized::quotient(ctx, top, quantized::scaleOf(ctx, ElementType::Int8, ofA)),
                                quantized::scaleOf(ctx, ElementType::Int8, ofB));
        return ctx.emit("Mul", {products, scale});
    };
    if (Attributes(ctx).boolean("enable_float_output", false)) {
        return {scaled(quantized::number(ctx, 1))};
    }
    if (const auto calibrated = calibratedRange(ctx)) { // cut off
        const OnnxValue y = scaled(quantized::scaleOf(ctx, ElementType::Int8, *calibrated));
        return calibrated->with(ctx, emit::cast(ctx, y, ElementType::Int8));
    }
    const OnnxValue level = quantized::number(ctx, quantized::levels(ElementType::Int8));
    const OnnxValue ofLevels = quantized::product(ctx, quantized::quotient(ctx, ofA.reach(ctx), level),
                                                  quantized::quotient(ctx, ofB.reach(ctx), level));
    const OnnxValue all = quantized::number(ctx, quantized::levels(ElementType::Int32));
    return Range::around(ctx, quantized::product(ctx, ofLevels, all))
        .with(ctx, emit::cast(ctx, products, ElementType::Int32));
}

} // namespace

std::span<const OpRow> quantizedArithmeticOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_quantized_concat", concatenated, "Mul, QuantizeLinear, Concat"},
        {"_contrib_quantized_elemwise_add", added, "Mul, Add, QuantizeLinear"},
        {"_contrib_quantized_elemwise_mul", multiplied, "Mul, Cast"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
