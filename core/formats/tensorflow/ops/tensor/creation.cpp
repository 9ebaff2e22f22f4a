// Tensors made from a value, a shape or a range.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <cmath>

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

OnnxValues range(NodeContext& ctx)
{
    const ElementType own = ctx.element(ctx.input(0));
    const auto start = knownInts(ctx, ctx.input(0));
    const auto end = knownInts(ctx, ctx.input(1));
    const auto step = knownInts(ctx, ctx.input(2));
    constexpr std::int64_t stored = 4096;
    if (isInteger(own) && start && end && step) {
        if (step->front() == 0) {
            ctx.invalid("the step of a range is 0");
        }
        const std::int64_t distance = end->front() - start->front();
        const std::int64_t by = step->front();
        const std::int64_t count =
            std::max<std::int64_t>(distance / by + (distance % by != 0 && (distance > 0) == (by > 0) ? 1 : 0), 0);
        if (count <= stored) {
            Ints values;
            for (std::int64_t i = 0; i < count; ++i) {
                values.push_back(start->front() + i * by);
            }
            return {ctx.onnx.constant(Tensor::ints(values).converted(own))};
        }
    }
    const ElementType type = widened(own) == ElementType::Float16 ? ElementType::Float32 : widened(own);
    OnnxValues ends;
    for (std::size_t i = 0; i < 3; ++i) {
        ends.push_back(emit::cast(ctx, ctx.input(i), type));
    }
    return {emit::cast(ctx, ctx.emit("Range", ends), own)};
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
