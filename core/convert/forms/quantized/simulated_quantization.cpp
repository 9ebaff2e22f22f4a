#include "core/convert/forms/quantized/simulated_quantization.h"

#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::forms {
namespace {

/// A range moved so that 0 is one of its steps, as float32 computes it.
struct Nudged {
    std::vector<float> low;
    std::vector<float> high;
    std::vector<float> scale;
};

Nudged nudged(const NodeContext& ctx, const FakeQuantization& how)
{
    assert(how.bits >= 2 && how.bits <= 16 && how.lows.size() == how.highs.size());
    const auto least = static_cast<float>(how.isNarrow ? 1 : 0);
    const auto most = static_cast<float>((1 << how.bits) - 1);
    Nudged range;
    for (std::size_t i = 0; i < how.lows.size(); ++i) {
        const auto low = static_cast<float>(how.lows[i]);
        const auto high = static_cast<float>(how.highs[i]);
        if (!(low < high)) {
            ctx.invalid(fmt::format("the range from {} to {} is empty", low, high));
        }
        const float scale = (high - low) / (most - least);
        const float zero = least - low / scale;
        const float rounded = zero < least ? least : zero > most ? most : std::round(zero);
        range.low.push_back((least - rounded) * scale);
        range.high.push_back((most - rounded) * scale);
        range.scale.push_back(scale);
    }
    return range;
}

/// floor((clamp(x) - low) / scale + 1/2) scale + low. The range is one for all, or one for each channel on the last
/// axis.
OnnxValue steppedIn(const NodeContext& ctx, OnnxValue x, const Nudged& range, bool perChannel)
{
    const auto constant = [&](const std::vector<float>& values) {
        const Tensor vector =
            Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(values.size())}, values);
        return ctx.onnx.constant(perChannel ? vector : vector.reshaped({}));
    };
    const OnnxValue low = constant(range.low);
    const OnnxValue scale = constant(range.scale);
    const OnnxValue clamped = ctx.emit("Min", {ctx.emit("Max", {x, low}), constant(range.high)});
    std::vector<float> inverses;
    for (const float value : range.scale) {
        inverses.push_back(1 / value);
    }
    const OnnxValue steps = ctx.emit("Mul", {ctx.emit("Sub", {clamped, low}), constant(inverses)});
    const OnnxValue rounded = ctx.emit("Floor", {ctx.emit("Add", {steps, ctx.onnx.scalar(ElementType::Float32, 0.5)})});
    return ctx.emit("Add", {ctx.emit("Mul", {rounded, scale}), low});
}

} // namespace

OnnxValue fakeQuantized(const NodeContext& ctx, OnnxValue x, const FakeQuantization& how)
{
    return steppedIn(ctx, x, nudged(ctx, how), how.perChannel);
}

OnnxValue quantizedByScale(const NodeContext& ctx, OnnxValue x, const ScaledQuantization& how)
{
    const double power = std::ldexp(1.0, how.bits - (how.isSigned ? 1 : 0));
    const double least = !how.isSigned ? 0 : how.isNarrow ? 1 - power : -power;
    const double most = power - 1;
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const ElementType type = ctx.element(x);
    const bool isGiven = bool(how.low);
    const std::int64_t axis = how.axis.value_or(-1);
    const auto extreme = [&](std::string_view op, OnnxValue end) {
        Ints others;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
            if (i != axis) {
                others.push_back(i);
            }
        }
        if (!isGiven) {
            return emit::reduce(ctx, op, x, axis < 0 ? Ints{} : others, axis >= 0);
        }
        if (axis >= 0) {
            Ints behind(ctx.rank(x) - 1 - static_cast<std::size_t>(axis));
            std::iota(behind.begin(), behind.end(), 1);
            end = emit::unsqueeze(ctx, end, behind);
        }
        return end;
    };
    const OnnxValue low = extreme("ReduceMin", how.low);
    const OnnxValue high = extreme("ReduceMax", how.high);
    const double largest =
        type == ElementType::Float32 ? double(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max();
    const auto scaleOf = [&](double integer, OnnxValue end) {
        const OnnxValue isUsed = ctx.emit("Greater", {ctx.emit("Mul", {number(integer), end}), number(0)});
        return ctx.emit("Where", {isUsed, ctx.emit("Div", {number(integer), end}), number(largest)});
    };
    const OnnxValue fromLow = scaleOf(least, low);
    const OnnxValue fromHigh = scaleOf(most, high);
    const OnnxValue isLow = ctx.emit("Less", {fromLow, fromHigh});
    const OnnxValue scale = ctx.emit("Where", {isLow, fromLow, fromHigh});
    const OnnxValue ofHigh = ctx.emit("Div", {high, number(most)});
    const OnnxValue inverse =
        least == 0 ? ofHigh : ctx.emit("Where", {isLow, ctx.emit("Div", {low, number(least)}), ofHigh});
    OnnxValue value = x;
    if (isGiven) {
        const OnnxValue top = ctx.emit("Where", {isLow, ctx.emit("Mul", {number(most), inverse}), high});
        const OnnxValue bottom = ctx.emit("Where", {isLow, low, ctx.emit("Mul", {number(least), inverse})});
        value = ctx.emit("Min", {ctx.emit("Max", {value, bottom}), top});
    }
    const OnnxValue steps = ctx.emit("Mul", {value, scale});
    const OnnxValue rounded =
        how.roundsToEven ? ctx.emit("Round", {steps}) : ctx.emit("Floor", {ctx.emit("Add", {steps, number(0.5)})});
    return ctx.emit("Mul", {rounded, inverse});
}

} // namespace crosswalk::forms
