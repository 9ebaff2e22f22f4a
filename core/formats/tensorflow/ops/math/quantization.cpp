// Simulated quantisation: numbers rounded to the steps of an integer type, and kept as numbers.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

/// A range moved so that 0 is one of its steps, as float32 computes it.
struct Nudged {
    std::vector<float> low;
    std::vector<float> high;
    std::vector<float> scale;
};

Nudged nudged(const NodeContext& ctx, const std::vector<double>& lows, const std::vector<double>& highs, int bits,
              bool isNarrow)
{
    if (bits < 2 || bits > 16 || lows.size() != highs.size()) {
        ctx.invalid(fmt::format("num_bits = {}", bits), "num_bits");
    }
    const auto least = static_cast<float>(isNarrow ? 1 : 0);
    const auto most = static_cast<float>((1 << bits) - 1);
    Nudged range;
    for (std::size_t i = 0; i < lows.size(); ++i) {
        const auto low = static_cast<float>(lows[i]);
        const auto high = static_cast<float>(highs[i]);
        if (!(low <= 0 && high >= 0 && low < high)) {
            ctx.invalid(fmt::format("the range from {} to {} does not contain 0", low, high));
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
OnnxValue quantized(const NodeContext& ctx, const Nudged& range, bool perChannel)
{
    const auto constant = [&](const std::vector<float>& values) {
        const Tensor vector =
            Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(values.size())}, values);
        return ctx.onnx.constant(perChannel ? vector : vector.reshaped({}));
    };
    const OnnxValue low = constant(range.low);
    const OnnxValue scale = constant(range.scale);
    const OnnxValue clamped = ctx.emit("Min", {ctx.emit("Max", {ctx.input(0), low}), constant(range.high)});
    std::vector<float> inverses;
    for (const float value : range.scale) {
        inverses.push_back(1 / value);
    }
    const OnnxValue steps = ctx.emit("Mul", {ctx.emit("Sub", {clamped, low}), constant(inverses)});
    const OnnxValue rounded = ctx.emit("Floor", {ctx.emit("Add", {steps, ctx.onnx.scalar(ElementType::Float32, 0.5)})});
    return ctx.emit("Add", {ctx.emit("Mul", {rounded, scale}), low});
}

OnnxValues fakeQuantByAttributes(NodeContext& ctx)
{
    const Settings settings(ctx);
    return {quantized(ctx,
                      nudged(ctx, {settings.number("min")}, {settings.number("max")},
                             static_cast<int>(settings.integer("num_bits")), settings.boolean("narrow_range")),
                      false)};
}

OnnxValue fakeQuantByOperands(const NodeContext& ctx, bool perChannel)
{
    const Settings settings(ctx);
    return quantized(ctx,
                     nudged(ctx, constantNumbers(ctx, 1, "min"), constantNumbers(ctx, 2, "max"),
                            static_cast<int>(settings.integer("num_bits")), settings.boolean("narrow_range")),
                     perChannel);
}

OnnxValues fakeQuant(NodeContext& ctx)
{
    return {fakeQuantByOperands(ctx, false)};
}

OnnxValues fakeQuantPerChannel(NodeContext& ctx)
{
    return {fakeQuantByOperands(ctx, true)};
}

/// A range that is scaled so that neither end leaves the integers and 0 stays 0. The end that needs the larger steps
/// decides.
OnnxValue quantizedByRange(const NodeContext& ctx, OnnxValue bits)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType type = ctx.element(x);
    if (type != ElementType::Float32 && type != ElementType::Float64) {
        ctx.refuse(fmt::format("{} of {}", ctx.node.op, elementTypeName(type)), "T");
    }
    const auto known = knownInts(ctx, bits);
    if (!known || known->front() < 1 || known->front() > 32) {
        ctx.refuse("num_bits is computed or out of range", "num_bits");
    }
    const bool isSigned = settings.boolean("signed_input");
    const double power = std::ldexp(1.0, static_cast<int>(known->front()) - (isSigned ? 1 : 0));
    const double least = !isSigned ? 0 : settings.boolean("narrow_range") ? 1 - power : -power;
    const double most = power - 1;
    // Attribute axis came later than the operator.
    const std::int64_t axis = settings.has("axis") ? settings.integer("axis") : -1;
    const bool isGiven = settings.boolean("range_given");
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const auto extreme = [&](std::string_view op, std::size_t input) {
        Ints others;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
            if (i != axis) {
                others.push_back(i);
            }
        }
        if (!isGiven) {
            return emit::reduce(ctx, op, x, axis < 0 ? Ints{} : others, axis >= 0);
        }
        OnnxValue end = ctx.input(input);
        if (axis >= 0) {
            Ints behind(ctx.rank(x) - 1 - static_cast<std::size_t>(axis));
            std::iota(behind.begin(), behind.end(), 1);
            end = emit::unsqueeze(ctx, end, behind);
        }
        return end;
    };
    const OnnxValue low = extreme("ReduceMin", 1);
    const OnnxValue high = extreme("ReduceMax", 2);
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
    const bool isEven = !settings.has("round_mode") || settings.text("round_mode") == "HALF_TO_EVEN";
    const OnnxValue rounded =
        isEven ? ctx.emit("Round", {steps}) : ctx.emit("Floor", {ctx.emit("Add", {steps, number(0.5)})});
    return ctx.emit("Mul", {rounded, inverse});
}

OnnxValues quantizeAndDequantize(NodeContext& ctx)
{
    return {quantizedByRange(ctx, ctx.onnx.ints({Settings(ctx).integer("num_bits")}))};
}

/// num_bits is an operand.
OnnxValues quantizeAndDequantizeV3(NodeContext& ctx)
{
    return {quantizedByRange(ctx, intVector(ctx, ctx.input(3)))};
}

constexpr std::string_view steps = "Div, Round, Mul";

constexpr OpRow rows[] = {
    {"FakeQuantWithMinMaxArgs", fakeQuantByAttributes, "Max, Min, Floor, Mul"},
    {"FakeQuantWithMinMaxVars", fakeQuant, "Max, Min, Floor, Mul"},
    {"FakeQuantWithMinMaxVarsPerChannel", fakeQuantPerChannel, "Max, Min, Floor, Mul"},
    {"QuantizeAndDequantizeV2", quantizeAndDequantize, steps},
    {"QuantizeAndDequantizeV3", quantizeAndDequantizeV3, steps},
    {"QuantizeAndDequantizeV4", quantizeAndDequantize, steps},
};

} // namespace

std::span<const OpRow> quantizationOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
