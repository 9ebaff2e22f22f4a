#include "core/formats/tensorflow/ops/operands.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

constexpr std::int64_t stepLimit = 4096;

} // namespace

std::optional<Ints> knownInts(const NodeContext& ctx, OnnxValue x)
{
    if (const Tensor* stored = ctx.onnx.content(x)) {
        return stored->toInts();
    }
    if (const auto dims = ctx.onnx.integers(x)) {
        Ints values;
        for (const Dim& dim : *dims) {
            if (!dim.isFixed()) {
                return std::nullopt;
            }
            values.push_back(dim.size);
        }
        return values;
    }
    return std::nullopt;
}

Ints constantInts(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const auto values = knownInts(ctx, ctx.input(i));
    if (!values) {
        ctx.refuse(fmt::format("{} is computed while the model runs; ONNX needs it in the file", what), {},
                   "make it a constant");
    }
    return *values;
}

std::int64_t constantInt(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const Ints values = constantInts(ctx, i, what);
    if (values.size() != 1) {
        ctx.invalid(fmt::format("{} has {} elements instead of 1", what, values.size()));
    }
    return values.front();
}

std::vector<double> constantNumbers(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const Tensor* stored = ctx.onnx.content(ctx.input(i));
    if (stored == nullptr) {
        ctx.refuse(fmt::format("{} is computed while the model runs", what), {}, "make it a constant");
    }
    return stored->toDoubles();
}

OnnxValue asInt64(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, ElementType::Int64);
}

OnnxValue intVector(const NodeContext& ctx, OnnxValue x)
{
    if (const auto values = knownInts(ctx, x)) {
        return ctx.onnx.ints(*values);
    }
    const OnnxValue wide = asInt64(ctx, x);
    const auto& shape = ctx.onnx.shape(wide);
    return shape && shape->empty() ? emit::unsqueeze(ctx, wide, {0}) : wide;
}

OnnxValue scalarOf(const NodeContext& ctx, OnnxValue vector)
{
    return emit::squeeze(ctx, vector, {0});
}

OnnxValue countTo(const NodeContext& ctx, OnnxValue count)
{
    const auto known = knownInts(ctx, count);
    if (known && known->front() >= 0 && known->front() <= stepLimit) {
        Ints values(static_cast<std::size_t>(known->front()));
        std::iota(values.begin(), values.end(), 0);
        return ctx.onnx.ints(values);
    }
    return ctx.emit("Range", {ctx.onnx.scalar(ElementType::Int64, 0), scalarOf(ctx, count),
                              ctx.onnx.scalar(ElementType::Int64, 1)});
}

OnnxValue choose(const NodeContext& ctx, OnnxValue condition, OnnxValue a, OnnxValue b)
{
    const ElementType own = ctx.element(a);
    ElementType type = own;
    switch (own) {
    case ElementType::Bool:
        // a or b by the condition, without a Where of bool, which the runtime lacks.
        return ctx.emit("Or", {ctx.emit("And", {condition, a}), ctx.emit("And", {ctx.emit("Not", {condition}), b})});
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::UInt16:
        type = ElementType::Int32;
        break;
    case ElementType::UInt32:
    case ElementType::UInt64: // the same bits there and back
        type = ElementType::Int64;
        break;
    case ElementType::BFloat16:
        type = ElementType::Float32;
        break;
    default:
        break;
    }
    return emit::cast(ctx, ctx.emit("Where", {condition, emit::cast(ctx, a, type), emit::cast(ctx, b, type)}), own);
}

OnnxValue filledTo(const NodeContext& ctx, ElementType type, double value, OnnxValue dims)
{
    if (const auto known = knownInts(ctx, dims)) {
        if (std::ranges::any_of(*known, [](auto dim) { return dim < 0; })) {
            ctx.invalid("a dimension is negative");
        }
        return ctx.onnx.constant(Tensor::filled(type, *known, value));
    }
    return emit::expand(ctx, ctx.onnx.scalar(type, value), dims);
}

} // namespace crosswalk::tensorflow
