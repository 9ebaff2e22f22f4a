// Simulated quantisation: FakeQuantWithMinMax and QuantizeAndDequantize.

#include "core/convert/forms/quantized/simulated_quantization.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

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

constexpr std::string_view steps = "Div, Round, Mul";

} // namespace

std::span<const OpRow> quantizationOps()
{
    static constexpr OpRow rows[] = {
        {"FakeQuantWithMinMaxArgs", fakeQuantByAttributes, "Max, Min, Floor, Mul"},
        {"FakeQuantWithMinMaxVars", fakeQuant, "Max, Min, Floor, Mul"},
        {"FakeQuantWithMinMaxVarsPerChannel", fakeQuantPerChannel, "Max, Min, Floor, Mul"},
        {"QuantizeAndDequantizeV2", quantizeAndDequantize, steps},
        {"QuantizeAndDequantizeV3", quantizeAndDequantizeV3, steps},
        {"QuantizeAndDequantizeV4", quantizeAndDequantize, steps},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
