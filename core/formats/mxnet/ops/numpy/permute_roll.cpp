// The elements of a tensor in another order: axes moved, rotated, reversed or rolled.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

OnnxValues moveAxis(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const auto axes = [&](std::string_view name) {
        Ints list = Attributes(ctx).ints(name);
        for (auto& axis : list) {
            axis = ctx.axis(axis, ctx.rank(x), name);
        }
        return list;
    };
    const Ints source = axes("source");
    const Ints destination = axes("destination");
    if (source.size() != destination.size()) {
        ctx.invalid(fmt::format("{} axes move to {} positions", source.size(), destination.size()), "destination");
    }
    Ints permutation(ctx.rank(x), -1);
    std::vector<bool> isMoved(ctx.rank(x), false);
    for (std::size_t i = 0; i < source.size(); ++i) {
        auto& place = permutation[static_cast<std::size_t>(destination[i])];
        if (place != -1 || isMoved[static_cast<std::size_t>(source[i])]) {
            ctx.invalid("an axis occurs twice", "source");
        }
        place = source[i];
        isMoved[static_cast<std::size_t>(source[i])] = true;
    }
    std::int64_t next = 0;
    for (auto& place : permutation) {
        while (place == -1 && isMoved[static_cast<std::size_t>(next)]) {
            ++next;
        }
        place = place == -1 ? next++ : place;
    }
    return {emit::transpose(ctx, x, permutation)};
}

OnnxValue backwards(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    if (axes.empty()) {
        return x;
    }
    return emit::slice(ctx, x, Ints(axes.size(), -1), Ints(axes.size(), std::numeric_limits<std::int64_t>::min()), axes,
                       Ints(axes.size(), -1));
}

OnnxValues flip(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints axes = Attributes(ctx).ints("axis");
    if (Attributes(ctx).isNone("axis")) {
        axes.resize(ctx.rank(x));
        std::iota(axes.begin(), axes.end(), 0);
    }
    for (auto& axis : axes) {
        if (axis < 0 && !isOfVersion2(ctx)) {
            ctx.invalid(fmt::format("MXNet does not support axis {} here", axis), "axis");
        }
        axis = ctx.axis(axis, ctx.rank(x));
    }
    return {backwards(ctx, x, axes)};
}

OnnxValues rotate(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const Ints axes = attributes.ints("axes");
    if (axes.size() != 2) {
        ctx.invalid("a rotation requires two axes", "axes");
    }
    const std::int64_t first = ctx.axis(axes[0], ctx.rank(x), "axes");
    const std::int64_t second = ctx.axis(axes[1], ctx.rank(x), "axes");
    if (first == second) {
        ctx.invalid("a rotation requires two different axes", "axes");
    }
    switch (((attributes.integer("k", 1) % 4) + 4) % 4) {
    case 1:
        return {emit::swapAxes(ctx, backwards(ctx, x, {second}), first, second)};
    case 2:
        return {backwards(ctx, x, {first, second})};
    case 3:
        return {backwards(ctx, emit::swapAxes(ctx, x, first, second), {second})};
    default:
        return {x};
    }
}

/// Shifts the elements of an axis; those beyond the end wrap around to the front.
OnnxValue rolled(const NodeContext& ctx, OnnxValue x, std::int64_t shift, std::int64_t axis)
{
    const Dim dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!dim.isFixed()) {
        const OnnxValue size = emit::squeeze(ctx, emit::dimVector(ctx, x, axis), {0});
        const OnnxValue places =
            ctx.emit("Sub", {countUp(ctx, x, axis), ctx.onnx.scalar(ElementType::Int64, static_cast<double>(shift))});
        return emit::gather(ctx, x, ctx.emit("Mod", {places, size}), axis);
    }
    const std::int64_t cut = dim.size == 0 ? 0 : ((-shift % dim.size) + dim.size) % dim.size;
    if (cut == 0) {
        return x;
    }
    const OnnxValue back = emit::slice(ctx, x, Ints{cut}, Ints{dim.size}, Ints{axis});
    return emit::concat(ctx, {back, emit::slice(ctx, x, Ints{0}, Ints{cut}, Ints{axis})}, axis);
}

OnnxValues roll(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    OnnxValue x = ctx.input(0);
    Ints shifts = attributes.ints("shift");
    const Ints axes = attributes.ints("axis");
    if (shifts.empty()) {
        ctx.invalid("roll requires attribute shift", "shift");
    }
    if (axes.empty()) {
        if (shifts.size() != 1) {
            ctx.invalid("without axes there must be one shift", "shift");
        }
        const ShapeTerms terms = termsOf(ctx, x);
        const OnnxValue flat = reshapeTo(ctx, x, {restTerm()});
        return {reshapeTo(ctx, rolled(ctx, flat, shifts.front(), 0), terms)};
    }
    if (shifts.size() == 1) {
        shifts.resize(axes.size(), shifts.front());
    }
    if (shifts.size() != axes.size()) {
        ctx.invalid(fmt::format("{} shifts for {} axes", shifts.size(), axes.size()), "shift");
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        x = rolled(ctx, x, shifts[i], ctx.axis(axes[i], ctx.rank(x)));
    }
    return {x};
}

/// Moves the axis before the one at `start`.
OnnxValues rollAxis(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const std::int64_t axis = ctx.axis(attributes.integer("axis"), ctx.rank(x));
    std::int64_t start = attributes.integer("start", 0);
    start += start < 0 ? rank : 0;
    if (start < 0 || start > rank) {
        ctx.invalid(fmt::format("start = {} of {} dimensions", start, rank), "start");
    }
    Ints order(ctx.rank(x));
    std::iota(order.begin(), order.end(), 0);
    order.eraseAt(axis);
    order.insert(order.iteratorAt(start > axis ? start - 1 : start), axis);
    return {emit::transpose(ctx, x, order)};
}

} // namespace

std::span<const OpRow> numpyPermuteRollOps()
{
    static constexpr OpRow rows[] = {
        {"_np_moveaxis", moveAxis, "Transpose"},
        {"_np_roll", roll, "Slice, Concat"},
        {"_npi_flip", flip, "Slice"},
        {"_npi_rollaxis", rollAxis, "Transpose"},
        {"_npi_rot90", rotate, "Slice, Transpose"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
