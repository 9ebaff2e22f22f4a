// Pad, PadV2 and MirrorPad.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/nn/layers.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::tensorflow {
namespace {

/// TensorFlow has a row (before, after) for each axis, ONNX all numbers before and then all after.
OnnxValue padsOf(const NodeContext& ctx, OnnxValue paddings)
{
    if (const Tensor* known = ctx.onnx.content(paddings)) {
        const std::array<std::int64_t, 2> columnsFirst{1, 0};
        return ctx.onnx.constant(
            known->converted(ElementType::Int64).transposed(columnsFirst).reshaped({known->elements()}));
    }
    return emit::reshape(ctx, emit::transpose(ctx, asInt64(ctx, paddings), {1, 0}), Ints{-1});
}

/// The types that ONNX Runtime pads.
ElementType padded(ElementType type)
{
    switch (type) {
    case ElementType::Int16:
    case ElementType::UInt16:
        return ElementType::Int32;
    case ElementType::BFloat16:
        return ElementType::Float32;
    default:
        return type;
    }
}

/// Scalars have no axes to pad. ONNX Runtime fails for them.
bool isScalar(const NodeContext& ctx, OnnxValue x)
{
    const auto shape = ctx.onnx.shape(x);
    return shape && shape->empty();
}

OnnxValue pad(const NodeContext& ctx, OnnxValue filler)
{
    const OnnxValue x = ctx.input(0);
    if (isScalar(ctx, x)) {
        return x;
    }
    return computedAs(ctx, padded(ctx.element(x)), x, [&](OnnxValue value) {
        return ctx.emit("Pad", {value, padsOf(ctx, ctx.input(1)), emit::cast(ctx, filler, ctx.element(value))});
    });
}

OnnxValues padZero(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) == ElementType::String) {
        ctx.refuse("ONNX does not pad strings", "T");
    }
    return {pad(ctx, emit::scalarLike(ctx, x, 0))};
}

OnnxValues padValue(NodeContext& ctx)
{
    return {pad(ctx, ctx.input(2))};
}

/// The mirrored image of the elements at both ends of an axis, the outermost ones included.
OnnxValue symmetric(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t before, std::int64_t after)
{
    constexpr std::int64_t farBegin = std::numeric_limits<std::int64_t>::min() + 1;
    OnnxValues parts;
    if (before > 0) {
        parts.push_back(emit::slice(ctx, x, Ints{before - 1}, Ints{farBegin}, Ints{axis}, Ints{-1}));
    }
    parts.push_back(x);
    if (after > 0) {
        parts.push_back(emit::slice(ctx, x, Ints{-1}, Ints{-after - 1}, Ints{axis}, Ints{-1}));
    }
    return emit::concat(ctx, parts, axis);
}

/// The same with computed paddings: place i of an axis of size n shows the element i modulo 2 n, counted back from 2 n
/// where that is n or more.
OnnxValue symmetricByComputed(const NodeContext& ctx, OnnxValue x, OnnxValue paddings)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        const OnnxValue row = emit::squeeze(ctx, emit::slice(ctx, paddings, Ints{axis}, Ints{axis + 1}, Ints{0}), {0});
        const OnnxValue before = emit::slice(ctx, row, Ints{0}, Ints{1}, Ints{0});
        const OnnxValue size = emit::dimVector(ctx, x, axis);
        const OnnxValue whole = ctx.emit("Add", {size, emit::reduce(ctx, "ReduceSum", row, {0}, true)});
        const OnnxValue twice = ctx.emit("Add", {size, size});
        const OnnxValue place = ctx.emit("Mod", {ctx.emit("Sub", {countTo(ctx, whole), before}), twice});
        const OnnxValue back = ctx.emit("Sub", {ctx.emit("Sub", {twice, place}), ctx.onnx.ints({1})});
        x = emit::gather(ctx, x, ctx.emit("Where", {ctx.emit("Less", {place, size}), place, back}), axis);
    }
    return x;
}

OnnxValues mirrorPad(NodeContext& ctx)
{
    return {mirrorPadded(ctx, ctx.input(0), ctx.input(1), Settings(ctx).text("mode"))};
}

} // namespace

OnnxValue mirrorPadded(const NodeContext& ctx, OnnxValue x, OnnxValue paddings, const std::string& mode)
{
    if (mode == "REFLECT") {
        if (isScalar(ctx, x)) {
            return x;
        }
        return computedAs(ctx, padded(ctx.element(x)), x, [&](OnnxValue value) {
            return ctx.emit("Pad", {value, padsOf(ctx, paddings)}, {{"mode", "reflect"}});
        });
    }
    if (mode != "SYMMETRIC") {
        ctx.invalid(fmt::format("mode {} must be REFLECT or SYMMETRIC", mode), "mode");
    }
    const auto known = knownInts(ctx, paddings);
    if (!known) {
        return symmetricByComputed(ctx, x, asInt64(ctx, paddings));
    }
    if (std::ranges::any_of(*known, [](auto n) { return n < 0; })) {
        ctx.invalid("a padding is negative");
    }
    for (std::size_t i = 0; i + 1 < known->size(); i += 2) {
        x = symmetric(ctx, x, static_cast<std::int64_t>(i / 2), (*known)[i], (*known)[i + 1]);
    }
    return x;
}

std::span<const OpRow> paddingOps()
{
    static constexpr OpRow rows[] = {
        {"MirrorPad", mirrorPad, "Pad, or Slice and Concat"},
        {"Pad", padZero, "Pad"},
        {"PadV2", padValue, "Pad"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
