// Quantization by ranges: QuantizeV2 and Dequantize, and the simulated one of FakeQuantWithMinMax and
// QuantizeAndDequantize.

#include "core/convert/forms/quantized/range_quantization.h"
#include "core/convert/forms/quantized/simulated_quantization.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

OnnxValue fakeQuantIn(const NodeContext& ctx, std::vector<double> lows, std::vector<double> highs, bool perChannel)
{
    const Settings settings(ctx);
    const std::int64_t bits = settings.integer("num_bits");
    if (bits < 2 || bits > 16 || lows.size() != highs.size()) {
        ctx.invalid(fmt::format("num_bits = {}", bits), "num_bits");
    }
    return fakeQuantized(ctx, ctx.input(0),
                         {.lows = std::move(lows),
                          .highs = std::move(highs),
                          .bits = static_cast<int>(bits),
                          .isNarrow = settings.boolean("narrow_range"),
                          .perChannel = perChannel});
}

OnnxValues fakeQuantByAttributes(NodeContext& ctx)
{
    const Settings settings(ctx);
    return {fakeQuantIn(ctx, {settings.number("min")}, {settings.number("max")}, false)};
}

OnnxValues fakeQuant(NodeContext& ctx)
{
    return {fakeQuantIn(ctx, constantNumbers(ctx, 1, "min"), constantNumbers(ctx, 2, "max"), false)};
}

OnnxValues fakeQuantPerChannel(NodeContext& ctx)
{
    return {fakeQuantIn(ctx, constantNumbers(ctx, 1, "min"), constantNumbers(ctx, 2, "max"), true)};
}

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
    ScaledQuantization how;
    how.bits = static_cast<int>(known->front());
    how.isSigned = settings.boolean("signed_input");
    how.isNarrow = settings.boolean("narrow_range");
    how.roundsToEven = !settings.has("round_mode") || settings.text("round_mode") == "HALF_TO_EVEN";
    // Attribute axis is newer than the operator.
    if (const std::int64_t axis = settings.has("axis") ? settings.integer("axis") : -1; axis >= 0) {
        how.axis = axis;
    }
    if (settings.boolean("range_given")) {
        how.low = ctx.input(1);
        how.high = ctx.input(2);
    }
    return quantizedByScale(ctx, x, how);
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

/// The range of inputs 1 and 2, and the attributes that QuantizeV2 and Dequantize share. `data` is of the type.
RangeQuantization rangeOf(const NodeContext& ctx, OnnxValue data, ElementType type)
{
    const Settings settings(ctx);
    RangeQuantization how;
    const std::string mode = settings.text("mode");
    if (mode != "MIN_COMBINED" && mode != "MIN_FIRST" && mode != "SCALED") {
        ctx.invalid(fmt::format("mode {} must be MIN_COMBINED, MIN_FIRST or SCALED", mode), "mode");
    }
    how.mode = mode == "MIN_COMBINED" ? RangeMode::Whole : mode == "MIN_FIRST" ? RangeMode::First : RangeMode::Scaled;
    how.type = type;
    if (!isInteger(type) || byteSize(type) > 4 || type == ElementType::UInt32) {
        ctx.invalid(fmt::format("{} of {}", ctx.node.op, elementTypeName(type)), "T");
    }
    how.isNarrow = settings.boolean("narrow_range");
    // Attribute axis is newer than the operators, as are the other settings: -1 is one range for all.
    if (const std::int64_t axis = settings.integer("axis"); axis >= 0) {
        how.axis = ctx.axis(axis, ctx.rank(data));
    } else if (axis != -1) {
        ctx.invalid(fmt::format("axis = {} is neither -1 nor an axis", axis), "axis");
    }
    const auto endOf = [&](std::size_t i) {
        const OnnxValue end = ctx.input(i);
        if (ctx.element(end) != ElementType::Float32 || ctx.rank(end) > 1) {
            ctx.invalid(fmt::format("an end of the range must be a number or a vector of float32, not {} of rank {}",
                                    elementTypeName(ctx.element(end)), ctx.rank(end)));
        }
        const Dim count = ctx.rank(end) == 1 ? ctx.shape(end).front() : Dim(1);
        const Dim wanted = how.axis ? ctx.shape(data)[static_cast<std::size_t>(*how.axis)] : Dim(1);
        if (count.isFixed() && wanted.isFixed() && count.size != wanted.size) {
            ctx.invalid(fmt::format("the range has {} numbers instead of {}", count.size, wanted.size));
        }
        return how.axis ? end : emit::reshape(ctx, end, Ints{});
    };
    how.low = endOf(1);
    how.high = endOf(2);
    if (how.mode == RangeMode::First && how.axis) {
        if (ctx.fixedDim(data, *how.axis) != 1) {
            ctx.invalid("mode MIN_FIRST takes no axis", "axis");
        }
        how.axis.reset();
        how.low = emit::reshape(ctx, how.low, Ints{});
        how.high = emit::reshape(ctx, how.high, Ints{});
    }
    return how;
}

OnnxValues dequantize(NodeContext& ctx)
{
    const ElementType result = Settings(ctx).elementType("dtype");
    const OnnxValue codes = ctx.input(0);
    const RangeQuantization how = rangeOf(ctx, codes, ctx.element(codes));
    if (result != ElementType::Float32 && (result != ElementType::BFloat16 || how.mode != RangeMode::Whole)) {
        ctx.invalid(fmt::format("{} to {} in this mode", ctx.node.op, elementTypeName(result)), "dtype");
    }
    return {emit::cast(ctx, dequantizedInRange(ctx, codes, how), result)};
}

OnnxValues quantize(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) != ElementType::Float32) {
        ctx.invalid(fmt::format("{} of {}", ctx.node.op, elementTypeName(ctx.element(x))));
    }
    RangeQuantization how = rangeOf(ctx, x, settings.elementType("T"));
    const std::string rounding = settings.text("round_mode");
    how.roundsToEven = rounding == "HALF_TO_EVEN";
    if (!how.roundsToEven && rounding != "HALF_AWAY_FROM_ZERO") {
        ctx.invalid(fmt::format("round_mode {} must be HALF_AWAY_FROM_ZERO or HALF_TO_EVEN", rounding), "round_mode");
    }
    if (how.roundsToEven && how.mode != RangeMode::Scaled) {
        ctx.invalid("round_mode HALF_TO_EVEN requires mode SCALED", "round_mode");
    }
    how.leastWidth = settings.number("ensure_minimum_range");
    if (!(how.leastWidth >= 0)) {
        ctx.invalid(fmt::format("ensure_minimum_range = {} is negative", how.leastWidth), "ensure_minimum_range");
    }
    const auto isZero = [&](OnnxValue end) {
        const Tensor* content = ctx.onnx.content(end);
        return content != nullptr && std::ranges::any_of(content->toDoubles(), [](double n) { return n == 0; });
    };
    if (how.mode == RangeMode::Whole && how.leastWidth == 0 && isZero(how.low) && isZero(how.high)) {
        ctx.refuse("the range from 0 to 0 divides by 0", "ensure_minimum_range");
    }
    const RangeQuantized result = quantizedInRange(ctx, x, how);
    // One range is a number, even along an axis.
    const bool isOne = how.axis && ctx.fixedDim(x, *how.axis) == 1;
    const auto shown = [&](OnnxValue end) { return isOne ? emit::reshape(ctx, end, Ints{}) : end; };
    return {result.codes, shown(result.low), shown(result.high)};
}

constexpr std::string_view steps = "Div, Round, Mul";

} // namespace

std::span<const OpRow> quantizationOps()
{
    static constexpr OpRow rows[] = {
        {"Dequantize", dequantize, "Cast, Mul, Add"},
        {"FakeQuantWithMinMaxArgs", fakeQuantByAttributes, "Max, Min, Floor, Mul"},
        {"FakeQuantWithMinMaxVars", fakeQuant, "Max, Min, Floor, Mul"},
        {"FakeQuantWithMinMaxVarsPerChannel", fakeQuantPerChannel, "Max, Min, Floor, Mul"},
        {"QuantizeAndDequantizeV2", quantizeAndDequantize, steps},
        {"QuantizeAndDequantizeV3", quantizeAndDequantizeV3, steps},
        {"QuantizeAndDequantizeV4", quantizeAndDequantize, steps},
        {"QuantizeV2", quantize, "Min, Max, Mul, Floor, Cast"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
