// Bits of integers, shifted and counted.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

std::int64_t bitsOf(ElementType type)
{
    return static_cast<std::int64_t>(byteSize(type)) * 8;
}

/// The number of places, int64, limited to 0 up to bits - 1 as TensorFlow does.
OnnxValue placesOf(const NodeContext& ctx, OnnxValue y)
{
    const std::int64_t last = bitsOf(ctx.element(y)) - 1;
    const auto limit = [&](std::int64_t i) { return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i)); };
    // A uint64 beyond int64 becomes negative, but is as good as the largest number of places.
    const OnnxValue places = asInt64(ctx, y);
    const OnnxValue below = limit(isUnsigned(ctx.element(y)) ? last : 0);
    const OnnxValue isNegative = ctx.emit("Less", {places, limit(0)});
    return arithmetic::minimum(ctx, ctx.emit("Where", {isNegative, below, places}), limit(last));
}

/// 2^i for 0 <= i < 64, the last one as the bits of an int64.
OnnxValue powers(const NodeContext& ctx, OnnxValue places)
{
    Ints all;
    for (std::uint64_t i = 0; i < 64; ++i) {
        all.push_back(static_cast<std::int64_t>(std::uint64_t{1} << i));
    }
    return emit::gather(ctx, ctx.onnx.ints(all), places, 0);
}

/// Products wrap, and so do casts to narrower integers.
OnnxValues leftShift(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue product = ctx.emit("Mul", {asInt64(ctx, x), powers(ctx, placesOf(ctx, ctx.input(1)))});
    return {emit::cast(ctx, product, ctx.element(x))};
}

/// Rounded down, which keeps the sign.
OnnxValue halved(const NodeContext& ctx, OnnxValue x, OnnxValue divisor)
{
    return ctx.emit("Div", {ctx.emit("Sub", {x, ctx.emit("Mod", {x, divisor})}), divisor});
}

OnnxValues rightShift(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const OnnxValue places = placesOf(ctx, ctx.input(1));
    if (own == ElementType::UInt64) {
        const OnnxValue count = emit::cast(ctx, places, own);
        return {ctx.emit("BitShift", {x, count}, {{"direction", "RIGHT"}})};
    }
    // int64 cannot represent 2^63, so a shift by 63 takes two divisions.
    const OnnxValue most = ctx.onnx.scalar(ElementType::Int64, 62);
    const OnnxValue first = arithmetic::minimum(ctx, places, most);
    OnnxValue y = halved(ctx, asInt64(ctx, x), powers(ctx, first));
    if (own == ElementType::Int64) {
        y = halved(ctx, y, powers(ctx, ctx.emit("Sub", {places, first})));
    }
    return {emit::cast(ctx, y, own)};
}

/// The sum of the bits, each of which is the parity of the number shifted to it.
OnnxValues populationCount(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    OnnxValue rest = asInt64(ctx, x);
    const OnnxValue two = ctx.onnx.scalar(ElementType::Int64, 2);
    if (own != ElementType::Int64 && own != ElementType::UInt64 && !isUnsigned(own)) {
        // The bits of a narrow negative number, without those of the wider type.
        const auto range = static_cast<double>(std::int64_t{1} << bitsOf(own));
        rest = ctx.emit("Mod", {rest, ctx.onnx.scalar(ElementType::Int64, range)});
    }
    OnnxValue sum;
    for (std::int64_t i = 0; i < bitsOf(own); ++i) {
        const OnnxValue bit = ctx.emit("Mod", {rest, two});
        sum = sum ? ctx.emit("Add", {sum, bit}) : bit;
        rest = ctx.emit("Div", {ctx.emit("Sub", {rest, bit}), two});
    }
    return {emit::cast(ctx, sum, ElementType::UInt8)};
}

} // namespace

std::span<const OpRow> shiftOps()
{
    static constexpr OpRow rows[] = {
        {"LeftShift", leftShift, "Gather, Mul"},
        {"PopulationCount", populationCount, "Mod, Div, Add"},
        {"RightShift", rightShift, "Mod, Div, or BitShift"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
