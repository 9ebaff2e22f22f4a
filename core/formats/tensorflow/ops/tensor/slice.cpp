// Slice and Roll.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

Ints axesOf(std::size_t rank)
{
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

/// A size of -1 extends to the end.
OnnxValues slice(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue begin = intVector(ctx, ctx.input(1));
    const OnnxValue size = intVector(ctx, ctx.input(2));
    const auto starts = knownInts(ctx, begin);
    const auto sizes = knownInts(ctx, size);
    if (starts && sizes) {
        if (starts->size() != sizes->size()) {
            ctx.invalid(fmt::format("there are {} begins, but {} sizes", starts->size(), sizes->size()));
        }
        Ints ends;
        for (std::size_t i = 0; i < sizes->size(); ++i) {
            if ((*starts)[i] < 0 || (*sizes)[i] < -1) {
                ctx.invalid("begin or size is negative");
            }
            ends.push_back((*sizes)[i] == -1 ? emit::farEnd : (*starts)[i] + (*sizes)[i]);
        }
        return {starts->empty() ? x : emit::slice(ctx, x, *starts, ends, axesOf(starts->size()))};
    }
    const auto count = static_cast<std::size_t>(ctx.fixedDim(begin, 0));
    const OnnxValue reached = ctx.emit("Add", {begin, size});
    OnnxValue end = reached;
    if (!sizes || std::ranges::any_of(*sizes, [](auto n) { return n == -1; })) {
        const OnnxValue isRest = arithmetic::equal(ctx, size, ctx.onnx.ints({-1}));
        end = ctx.emit("Where", {isRest, ctx.onnx.ints({emit::farEnd}), reached});
    }
    return {emit::slice(ctx, x, begin, end, ctx.onnx.ints(axesOf(count)))};
}

/// Elements beyond the end of an axis wrap around to its beginning.
OnnxValue rolled(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue shift)
{
    const OnnxValue back = ctx.emit("Neg", {shift});
    const OnnxValue size =
        arithmetic::maximum(ctx, emit::dimVector(ctx, x, axis), ctx.onnx.ints({1})); // if it is empty
    const OnnxValue start = ctx.emit("Mod", {back, size});
    const OnnxValue axes = ctx.onnx.ints({axis});
    const OnnxValue first = emit::slice(ctx, x, start, ctx.onnx.ints({emit::farEnd}), axes);
    const OnnxValue second = emit::slice(ctx, x, ctx.onnx.ints({0}), start, axes);
    return emit::concat(ctx, {first, second}, axis);
}

OnnxValue rolledBy(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t shift)
{
    const Dim& size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!size.isFixed()) {
        return rolled(ctx, x, axis, ctx.onnx.ints({shift}));
    }
    const std::int64_t start = size.size == 0 ? 0 : ((-(shift % size.size)) + size.size) % size.size;
    if (start == 0) {
        return x;
    }
    const OnnxValue first = emit::slice(ctx, x, Ints{start}, Ints{emit::farEnd}, Ints{axis});
    return emit::concat(ctx, {first, emit::slice(ctx, x, Ints{0}, Ints{start}, Ints{axis})}, axis);
}

OnnxValues roll(NodeContext& ctx)
{
    OnnxValue x = ctx.input(0);
    const Ints axes = constantInts(ctx, 2, "the axis");
    const auto shifts = knownInts(ctx, ctx.input(1));
    const OnnxValue computed = intVector(ctx, ctx.input(1));
    if (shifts && shifts->size() != axes.size()) {
        ctx.invalid(fmt::format("there are {} shifts, but {} axes", shifts->size(), axes.size()));
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = ctx.axis(axes[i], ctx.rank(x));
        const auto place = static_cast<std::int64_t>(i);
        x = shifts ? rolledBy(ctx, x, axis, (*shifts)[i])
                   : rolled(ctx, x, axis, emit::slice(ctx, computed, Ints{place}, Ints{place + 1}, Ints{0}));
    }
    return {x};
}

} // namespace

std::span<const OpRow> sliceOps()
{
    static constexpr OpRow rows[] = {
        {"Roll", roll, "Slice, Concat"},
        {"Slice", slice, "Slice"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
