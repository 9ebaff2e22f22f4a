// Batches of sequences of different lengths: (time, batch, ...), or (batch, time, ...) with axis = 1.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

std::int64_t timeAxis(const NodeContext& ctx, bool mayBeOne = true)
{
    const std::int64_t axis = Attributes(ctx).integer("axis", 0);
    if (axis != 0 && (axis != 1 || !mayBeOne)) {
        ctx.invalid(fmt::format("{} has no axis {}", ctx.node.op, axis), "axis");
    }
    if (ctx.rank(ctx.input(0)) < 2) {
        ctx.invalid(fmt::format("{} requires at least two dimensions", ctx.node.op));
    }
    return axis;
}

bool hasLengths(const NodeContext& ctx)
{
    return Attributes(ctx).boolean("use_sequence_length", false);
}

OnnxValue lengths(const NodeContext& ctx)
{
    return emit::cast(ctx, ctx.input(1), ElementType::Int64);
}

OnnxValues sequenceMask(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = timeAxis(ctx);
    if (!hasLengths(ctx)) {
        return {x};
    }
    const OnnxValue times = emit::unsqueeze(ctx, countUp(ctx, x, axis), {1 - axis});
    OnnxValue isInside = ctx.emit("Less", {times, emit::unsqueeze(ctx, lengths(ctx), {axis})});
    Ints trailing(ctx.rank(x) - 2);
    std::iota(trailing.begin(), trailing.end(), 2);
    isInside = emit::unsqueeze(ctx, isInside, trailing);
    const auto value = static_cast<float>(Attributes(ctx).number("value", 0)); // the type of MXNet's parameter
    return {ctx.emit("Where", {isInside, x, castLike(ctx, x, value, "value")})};
}

OnnxValues sequenceLast(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = timeAxis(ctx);
    if (!hasLengths(ctx)) {
        return {emit::gather(ctx, x, ctx.onnx.scalar(ElementType::Int64, -1), axis)};
    }
    const OnnxValue last = ctx.emit("Sub", {lengths(ctx), ctx.onnx.scalar(ElementType::Int64, 1)});
    const OnnxValue sample = countUp(ctx, x, 1 - axis);
    OnnxValues place{emit::unsqueeze(ctx, last, {1}), emit::unsqueeze(ctx, sample, {1})};
    if (axis == 1) {
        std::swap(place[0], place[1]);
    }
    return {ctx.emit("GatherND", {x, emit::concat(ctx, place, 1)})};
}

OnnxValues sequenceReverse(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    timeAxis(ctx, false);
    if (!hasLengths(ctx)) {
        return {emit::slice(ctx, x, Ints{-1}, Ints{std::numeric_limits<std::int64_t>::min()}, Ints{0}, Ints{-1})};
    }
    return {ctx.emit("ReverseSequence", {x, lengths(ctx)}, {{"time_axis", 0}, {"batch_axis", 1}})};
}

} // namespace

std::span<const OpRow> sequenceOps()
{
    static constexpr OpRow rows[] = {
        {"SequenceLast", sequenceLast, "Gather or GatherND"},
        {"SequenceMask", sequenceMask, "Less, Where"},
        {"SequenceReverse", sequenceReverse, "Slice or ReverseSequence"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
