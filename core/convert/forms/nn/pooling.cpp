// Rounding the output size up: ONNX's ceil_mode drops a window that would lie in the padding alone, and its runtimes
// disagree about the divisor of an average there. So the extra room is expressed as padding at the end: stride - 1 more
// elements make the rounded-down size the rounded-up one, whatever the input's size, and where that is known only what
// is needed is added.

#include "core/convert/forms/nn/pooling.h"

#include "core/base/budget.h"
#include "core/base/rounded_quotient.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/nn/window_padding.h"
#include "core/convert/forms/tensor/reduce.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::forms {
namespace {

/// Whether the runtime has the operator in the type of x.
bool hasKernel(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    if (op == "MaxPool") {
        return isFloating(type) || type == ElementType::Int8 || type == ElementType::UInt8;
    }
    return type != ElementType::Float64;
}

bool isZero(const Ints& pads)
{
    return std::all_of(pads.begin(), pads.end(), [](auto pad) { return pad == 0; });
}

/// Where the windows lie.
struct Frame {
    const Window& window;
    Ints begin;
    Ints padEnd; ///< the padding at the end
    Ints end;    ///< the same with the room for the last windows

    /// Whether every window contains at least one element besides padding, as ONNX's own padding requires.
    bool fits() const
    {
        for (std::size_t i = 0; i < window.rank(); ++i) {
            if (begin[i] >= window.kernel[i] || end[i] >= window.kernel[i]) {
                return false;
            }
        }
        return true;
    }
    bool isUnpadded() const { return isZero(begin) && isZero(end); }
};

/// The padding that the end needs for the output size that the rounding results in.
Ints paddedEnd(const NodeContext& ctx, OnnxValue x, const Pooling& how)
{
    Ints end = how.end;
    if (how.rounding == PoolRounding::Down) {
        return end;
    }
    for (std::size_t i = 0; i < end.size(); ++i) {
        const Dim& size = ctx.shape(x)[i + 2];
        const std::int64_t stride = how.window.stride[i];
        if (how.rounding == PoolRounding::PerStride) {
            if (!size.isFixed()) {
                end[i] += how.window.kernel[i] - 1;
                continue;
            }
            end[i] = samePaddingTotal(size.size, stride, how.window.kernel[i]);
        } else if (!size.isFixed()) {
            end[i] += stride - 1;
        } else {
            const std::int64_t room = size.size + how.begin[i] + how.end[i] - how.window.kernel[i];
            end[i] += quotientRoundedUp(room, stride) * stride - room;
        }
    }
    return end;
}

/// The elements of all windows joined by `op`, where no pooling operator has the type, or padding as wide as the
/// kernel.
OnnxValue maximumBySlices(const NodeContext& ctx, OnnxValue padded, const Window& window)
{
    const OnnxValues slices = windowSlices(ctx, padded, window);
    if (isFloating(ctx.element(padded))) {
        return slices.size() == 1 ? slices[0] : ctx.emit("Max", slices);
    }
    OnnxValue largest = slices.front();
    for (std::size_t i = 1; i < slices.size(); ++i) {
        largest = arithmetic::maximum(ctx, largest, slices[i]);
    }
    return largest;
}

OnnxValue sumBySlices(const NodeContext& ctx, OnnxValue padded, const Window& window)
{
    const OnnxValues slices = windowSlices(ctx, padded, window);
    return slices.size() == 1 ? slices[0] : ctx.emit("Sum", slices);
}

OnnxAttributes poolAttributes(const Window& window, const Ints& begin, const Ints& end)
{
    return {{"kernel_shape", window.kernel}, {"strides", window.stride}, {"pads", onnxPads(begin, end)}};
}

/// `least` is the maximum of a window that meets no element.
OnnxValue maximum(const NodeContext& ctx, OnnxValue x, const Frame& frame, double least)
{
    if (!hasKernel(ctx, "MaxPool", x) || !frame.fits()) {
        return maximumBySlices(ctx, padSpatial(ctx, x, frame.begin, frame.end, least), frame.window);
    }
    return ctx.emit("MaxPool", {x}, poolAttributes(frame.window, frame.begin, frame.end));
}

/// AveragePool; its divisor counts the padding or not.
OnnxValue averagePool(const NodeContext& ctx, OnnxValue x, const Window& window, const Ints& begin, const Ints& end,
                      bool countPadding)
{
    OnnxAttributes attributes = poolAttributes(window, begin, end);
    if (countPadding) {
        attributes.emplace_back("count_include_pad", 1);
    }
    return ctx.emit("AveragePool", {x}, attributes);
}

/// Sum over the windows; the padding adds nothing.
OnnxValue sum(const NodeContext& ctx, OnnxValue x, const Frame& frame)
{
    if (!hasKernel(ctx, "AveragePool", x) || !frame.fits()) {
        return sumBySlices(ctx, padSpatial(ctx, x, frame.begin, frame.end, 0), frame.window);
    }
    const OnnxValue mean = averagePool(ctx, x, frame.window, frame.begin, frame.end, true);
    return ctx.emit("Mul", {mean, emit::scalarLike(ctx, mean, kernelSize(frame.window))});
}

/// How many elements the windows along dimension i count. Where a window lies in the padding alone, this can be 0 or
/// less: its average is 0 then, or NaN.
Floats counted(const Frame& frame, std::size_t i, std::int64_t size, const Pooling& how)
{
    const std::int64_t kernel = frame.window.kernel[i];
    const std::int64_t stride = frame.window.stride[i];
    const std::int64_t count = (size + frame.begin[i] + frame.end[i] - kernel) / stride + 1;
    Budget::expectListed(count);
    Floats lengths;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t first = k * stride - frame.begin[i];
        const std::int64_t last = std::min(first + kernel, size + frame.padEnd[i]);
        const std::int64_t seen = std::min(last, size) - std::max<std::int64_t>(first, 0);
        const std::int64_t length = how.countPadding ? last - first : seen;
        lengths.push_back(seen > 0 || how.dividesByZero ? static_cast<float>(length) : 1.0F);
    }
    return lengths;
}

/// The sums of the windows, divided dimension by dimension. Needs the input's size.
OnnxValue averageOfCounted(const NodeContext& ctx, OnnxValue x, const Frame& frame, const Pooling& how)
{
    const std::size_t rank = frame.window.rank();
    OnnxValue y = sum(ctx, x, frame);
    for (std::size_t i = 0; i < rank; ++i) {
        const auto size = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2);
        const Floats lengths = counted(frame, i, size, how);
        Ints dims(rank - i, 1);
        dims[0] = static_cast<std::int64_t>(lengths.size());
        const Tensor divisor = Tensor::of<float>(ElementType::Float32, dims, lengths);
        y = ctx.emit("Div", {y, ctx.onnx.constant(divisor.converted(ctx.element(y)))});
    }
    return y;
}

OnnxValue sumPerKernel(const NodeContext& ctx, OnnxValue x, const Frame& frame)
{
    return ctx.emit("Div", {sum(ctx, x, frame), emit::scalarLike(ctx, x, kernelSize(frame.window))});
}

/// Every sum divided by the size of the kernel, wherever its window lies.
OnnxValue averageOfWhole(const NodeContext& ctx, OnnxValue x, const Frame& frame)
{
    return hasKernel(ctx, "AveragePool", x) && frame.fits()
               ? averagePool(ctx, x, frame.window, frame.begin, frame.end, true)
               : sumPerKernel(ctx, x, frame);
}

OnnxValue average(const NodeContext& ctx, OnnxValue x, const Frame& frame, const Pooling& how)
{
    const bool hasRoom = frame.end != frame.padEnd;
    if (how.countPadding && how.countRounding && hasRoom) {
        return averageOfWhole(ctx, x, frame);
    }
    if (!hasKernel(ctx, "AveragePool", x)) {
        const bool isWhole = !hasRoom && (how.countPadding || frame.isUnpadded());
        return isWhole && frame.fits() ? sumPerKernel(ctx, x, frame) : averageOfCounted(ctx, x, frame, how);
    }
    if (!how.countPadding && frame.fits()) {
        return averagePool(ctx, x, frame.window, frame.begin, frame.end, false);
    }
    if (how.countPadding && !hasRoom && frame.fits()) {
        return averagePool(ctx, x, frame.window, frame.begin, frame.end, !frame.isUnpadded());
    }
    const Frame padding{frame.window, frame.begin, frame.padEnd, frame.padEnd};
    if (how.countPadding && padding.fits()) { // the padding counts, the room beyond it does not
        const Ints none(frame.window.rank(), 0);
        Ints room = none;
        std::transform(frame.end.begin(), frame.end.end(), frame.padEnd.begin(), room.begin(), std::minus<>());
        if (Frame{frame.window, none, none, room}.fits()) {
            const OnnxValue padded = padSpatial(ctx, x, frame.begin, frame.padEnd, 0);
            return averagePool(ctx, padded, frame.window, none, room, false);
        }
    }
    return averageOfCounted(ctx, x, frame, how);
}

/// The p-th root of the sum of p-th powers, without the absolute value that ONNX's LpPool takes: x itself is added for
/// p = 1 and x cubed for p = 3.
OnnxValue lp(const NodeContext& ctx, OnnxValue x, std::int64_t p, const auto& sumOf)
{
    if (p == 1) {
        return sumOf(x);
    }
    const OnnxValue squared = ctx.emit("Mul", {x, x});
    if (p == 2) {
        return ctx.emit("Sqrt", {sumOf(squared)});
    }
    const OnnxValue total = sumOf(ctx.emit("Mul", {squared, x}));
    const OnnxValue root =
        ctx.emit("Pow", {ctx.emit("Abs", {total}), emit::scalarLike(ctx, total, 1.0 / 3)}); // Pow of negatives is NaN
    return ctx.emit("Mul", {ctx.emit("Sign", {total}), root});
}

} // namespace

double kernelSize(const Window& window)
{
    return std::accumulate(window.kernel.begin(), window.kernel.end(), 1.0,
                           [](double a, auto b) { return a * double(b); });
}

OnnxValue averageOfPresent(const NodeContext& ctx, OnnxValue x, OnnxValue ones, const Window& window)
{
    const OnnxValue total = sumBySlices(ctx, x, window);
    return ctx.emit("Div", {total, sumBySlices(ctx, ones, window)});
}

OnnxValue globalPool(const NodeContext& ctx, OnnxValue x, PoolKind kind, std::int64_t p, bool channelsLast)
{
    Ints axes(ctx.rank(x) - 2);
    std::iota(axes.begin(), axes.end(), channelsLast ? 1 : 2);
    const auto total = [&](OnnxValue value) { return emit::reduce(ctx, "ReduceSum", value, axes, true); };
    if (kind == PoolKind::Sum) {
        return total(x);
    }
    if (kind == PoolKind::Lp) {
        return p == 2 ? emit::reduce(ctx, "ReduceL2", x, axes, true) : lp(ctx, x, p, total);
    }
    const bool isMax = kind == PoolKind::Max;
    if (channelsLast || ctx.element(x) == ElementType::Float64) {
        return emit::reduce(ctx, isMax ? "ReduceMax" : "ReduceMean", x, axes, true);
    }
    return ctx.emit(isMax ? "GlobalMaxPool" : "GlobalAveragePool", {x});
}

OnnxValue pool(const NodeContext& ctx, OnnxValue x, const Pooling& how)
{
    const Frame frame{how.window, how.begin, how.end, paddedEnd(ctx, x, how)};
    const auto total = [&](OnnxValue value) { return sum(ctx, value, frame); };
    switch (how.kind) {
    case PoolKind::Max:
        return maximum(ctx, x, frame, how.least.value_or(lowestNumber(ctx.element(x))));
    case PoolKind::Average:
        return average(ctx, x, frame, how);
    case PoolKind::Sum:
        return total(x);
    case PoolKind::Lp:
        break;
    }
    return lp(ctx, x, how.p, total);
}

OnnxValue adaptivePool(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count,
                       std::string_view reduction)
{
    const Dim size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (count == 0) {
        return emit::slice(ctx, x, Ints{0}, Ints{0}, Ints{axis});
    }
    OnnxValues parts;
    if (size.isFixed()) {
        if (size.size > std::numeric_limits<std::int64_t>::max() / (count + 1)) {
            ctx.refuse(fmt::format("windows over an axis of {} elements are not supported", size.size));
        }
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t first = i * size.size / count;
            const std::int64_t end = ((i + 1) * size.size + count - 1) / count;
            const OnnxValue part = emit::slice(ctx, x, Ints{first}, Ints{end}, Ints{axis});
            parts.push_back(end - first == 1 ? part : reducedAlong(ctx, reduction, part, {axis}, true));
        }
        return parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, axis);
    }
    const OnnxValue length = emit::dimVector(ctx, x, axis);
    const auto number = [&](std::int64_t value) { return ctx.onnx.constant(Tensor::ints(Ints{value})); };
    for (std::int64_t i = 0; i < count; ++i) {
        const auto times = [&](std::int64_t factor) { return ctx.emit("Mul", {length, number(factor)}); };
        const OnnxValue first = ctx.emit("Div", {times(i), number(count)});
        const OnnxValue end = ctx.emit("Div", {ctx.emit("Add", {times(i + 1), number(count - 1)}), number(count)});
        const OnnxValue part = emit::slice(ctx, x, first, end, number(axis));
        parts.push_back(reducedAlong(ctx, reduction, part, {axis}, true));
    }
    return parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, axis);
}

} // namespace crosswalk::forms
