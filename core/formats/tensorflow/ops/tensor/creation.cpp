// Tensors made from a value, a shape or a range.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

OnnxValues fill(NodeContext& ctx)
{
    const OnnxValue dims = intVector(ctx, ctx.input(0));
    const OnnxValue value = ctx.input(1);
    const Tensor* stored = ctx.onnx.content(value);
    const auto known = knownInts(ctx, dims);
    if (stored != nullptr && known && ctx.element(value) != ElementType::String) {
        // A double can hold every value except large int64: a node repeats those.
        const double number = stored->toDoubles().front();
        if (std::abs(number) <= 9007199254740992.0 || !isInteger(ctx.element(value))) {
            return {filledTo(ctx, ctx.element(value), number, dims)};
        }
    }
    return {emit::expand(ctx, value, dims)};
}

OnnxValue filledLike(const NodeContext& ctx, OnnxValue x, double value)
{
    if (ctx.element(x) == ElementType::String) {
        if (value != 0) {
            ctx.refuse("strings have no value 1");
        }
        return emit::expand(ctx, ctx.onnx.constant(Tensor::strings({}, {""})), emit::shapeVector(ctx, x));
    }
    return filledTo(ctx, ctx.element(x), value, emit::shapeVector(ctx, x));
}

OnnxValues zerosLike(NodeContext& ctx)
{
    return {filledLike(ctx, ctx.input(0), 0)};
}

OnnxValues onesLike(NodeContext& ctx)
{
    return {filledLike(ctx, ctx.input(0), 1)};
}

constexpr std::int64_t mostStored = 4096; ///< elements of a range that become a constant

/// Throws as TensorFlow does for steps that lead away from the end, and for none.
template <class T>
void requireDirection(const NodeContext& ctx, T start, T end, T step)
{
    const bool leadsToEnd = step > 0 ? start <= end : step < 0 && start >= end;
    if (!leadsToEnd) {
        ctx.invalid(fmt::format("a range from {} to {} in steps of {}", start, end, step));
    }
}

/// The elements of a range that leads to its end; nothing if they are too many. Modulo 2^64, distances fit.
std::optional<Tensor> storedRange(std::int64_t start, std::int64_t end, std::int64_t step)
{
    const auto first = static_cast<std::uint64_t>(start);
    const auto last = static_cast<std::uint64_t>(end);
    const auto by = static_cast<std::uint64_t>(step);
    const std::uint64_t distance = step > 0 ? last - first : first - last;
    const std::uint64_t size = step > 0 ? by : 0 - by;
    const std::uint64_t count = distance / size + (distance % size != 0 ? 1 : 0);
    if (count > static_cast<std::uint64_t>(mostStored)) {
        return std::nullopt;
    }
    Ints values;
    for (std::uint64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<std::int64_t>(first + i * by));
    }
    return Tensor::ints(values);
}

/// The elements of a float32 range as TensorFlow counts and adds them, in float32; nothing if they are too many.
std::optional<Tensor> storedRange(float start, float end, float step)
{
    const float count = std::ceil((end - start) / step);
    if (!(count <= static_cast<float>(mostStored))) {
        return std::nullopt;
    }
    std::vector<float> values;
    float value = start;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
        values.push_back(value);
        value += step;
    }
    return Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(values.size())}, values);
}

/// A range of float32. ONNX Runtime divides in float64 to count the elements: from 0 to 0.3 in steps of 0.1 it has four
/// of them, but three in TensorFlow. With an end half a step behind the last element, it counts as TensorFlow does.
OnnxValue floatRange(const NodeContext& ctx, OnnxValue start, OnnxValue end, OnnxValue step)
{
    const auto number = [&](OnnxValue value) {
        const Tensor* stored = ctx.onnx.content(value);
        return stored != nullptr ? std::optional(static_cast<float>(stored->toDoubles().front())) : std::nullopt;
    };
    const auto from = number(start);
    const auto to = number(end);
    const auto by = number(step);
    if (from && to && by) {
        requireDirection(ctx, *from, *to, *by);
        if (const auto values = storedRange(*from, *to, *by)) {
            return ctx.onnx.constant(*values);
        }
    }
    int exponent = 0;
    if (by && std::abs(std::frexp(*by, &exponent)) == 0.5F) { // by a power of two, both divide exactly
        return ctx.emit("Range", {start, end, step});
    }
    const OnnxValue count = ctx.emit("Ceil", {ctx.emit("Div", {ctx.emit("Sub", {end, start}), step})});
    const OnnxValue half = ctx.onnx.scalar(ElementType::Float32, 0.5);
    const OnnxValue reach = ctx.emit("Mul", {ctx.emit("Sub", {count, half}), step});
    return ctx.emit("Range", {start, ctx.emit("Add", {start, reach}), step});
}

OnnxValues range(NodeContext& ctx)
{
    const ElementType own = ctx.element(ctx.input(0));
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor* stored = ctx.onnx.content(ctx.input(i));
        if (stored != nullptr && stored->elements() != 1) {
            ctx.invalid(fmt::format("operand {} of a range has {} elements", i, stored->elements()));
        }
    }
    const auto start = knownInts(ctx, ctx.input(0));
    const auto end = knownInts(ctx, ctx.input(1));
    const auto step = knownInts(ctx, ctx.input(2));
    if (isInteger(own) && start && end && step) {
        requireDirection(ctx, start->front(), end->front(), step->front());
        if (const auto values = storedRange(start->front(), end->front(), step->front())) {
            return {ctx.onnx.constant(values->converted(own))};
        }
    }
    const ElementType type = widened(own) == ElementType::Float16 ? ElementType::Float32 : widened(own);
    OnnxValues ends;
    for (std::size_t i = 0; i < 3; ++i) {
        ends.push_back(emit::cast(ctx, ctx.input(i), type));
    }
    const OnnxValue y =
        type == ElementType::Float32 ? floatRange(ctx, ends[0], ends[1], ends[2]) : ctx.emit("Range", ends);
    return {emit::cast(ctx, y, own)};
}

/// start + i (stop - start) / (count - 1); the last one is the stop itself.
OnnxValues linSpace(NodeContext& ctx)
{
    const OnnxValue start = ctx.input(0);
    const OnnxValue stop = ctx.input(1);
    const ElementType type = ctx.element(start);
    const OnnxValue count = intVector(ctx, ctx.input(2));
    const OnnxValue places = countTo(ctx, count);
    const OnnxValue last = ctx.emit("Sub", {count, ctx.onnx.ints({1})});
    const OnnxValue gaps = emit::cast(ctx, arithmetic::maximum(ctx, last, ctx.onnx.ints({1})), type);
    const OnnxValue step = ctx.emit("Div", {ctx.emit("Sub", {stop, start}), gaps});
    const OnnxValue line = ctx.emit("Add", {start, ctx.emit("Mul", {emit::cast(ctx, places, type), step})});
    const OnnxValue isLast = ctx.emit("And", {ctx.emit("Equal", {places, last}),
                                              ctx.emit("Greater", {places, ctx.onnx.scalar(ElementType::Int64, 0)})});
    return {choose(ctx, isLast, stop, line)};
}

} // namespace

std::span<const OpRow> creationOps()
{
    static constexpr OpRow rows[] = {
        {"Fill", fill, "Expand"},
        {"LinSpace", linSpace, "Range, Mul, Add, Where"},
        {"OnesLike", onesLike, "Shape, Expand"},
        {"Range", range, "Range"},
        {"ZerosLike", zerosLike, "Shape, Expand"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
