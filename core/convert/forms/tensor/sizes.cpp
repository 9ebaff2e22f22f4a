#include "core/convert/forms/tensor/sizes.h"

#include "core/convert/emit.h"
#include "core/onnx/opsets.h"

#include <cmath>

namespace crosswalk::forms::sizes {
namespace {

/// Sizes in a file can be anything.
OnnxValue constant(const NodeContext& ctx, std::int64_t size, bool isTooLarge)
{
    if (isTooLarge) {
        ctx.invalid("one of its sizes exceeds the range of int64");
    }
    return ctx.onnx.ints({size});
}

} // namespace

std::optional<std::int64_t> known(const NodeContext& ctx, OnnxValue a)
{
    const Tensor* content = ctx.onnx.content(a);
    return content != nullptr ? std::optional(content->toInts().at(0)) : std::nullopt;
}

Dim asDim(const NodeContext& ctx, OnnxValue a)
{
    const auto size = known(ctx, a);
    return size ? Dim(*size) : Dim();
}

OnnxValue plus(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const auto left = known(ctx, a);
    const auto right = known(ctx, b);
    if (left && right) {
        std::int64_t sum = 0;
        const bool isTooLarge = __builtin_add_overflow(*left, *right, &sum);
        return constant(ctx, sum, isTooLarge);
    }
    return right == 0 ? a : left == 0 ? b : ctx.emit("Add", {a, b});
}

OnnxValue minus(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const auto left = known(ctx, a);
    const auto right = known(ctx, b);
    if (left && right) {
        std::int64_t difference = 0;
        const bool isTooLarge = __builtin_sub_overflow(*left, *right, &difference);
        return constant(ctx, difference, isTooLarge);
    }
    return right == 0 ? a : ctx.emit("Sub", {a, b});
}

OnnxValue times(const NodeContext& ctx, OnnxValue a, std::int64_t factor)
{
    if (const auto size = known(ctx, a)) {
        std::int64_t product = 0;
        const bool isTooLarge = __builtin_mul_overflow(*size, factor, &product);
        return constant(ctx, product, isTooLarge);
    }
    return factor == 1 ? a : ctx.emit("Mul", {a, ctx.onnx.ints({factor})});
}

OnnxValue over(const NodeContext& ctx, OnnxValue a, std::int64_t divisor)
{
    if (const auto size = known(ctx, a)) {
        return ctx.onnx.ints({*size / divisor});
    }
    return divisor == 1 ? a : ctx.emit("Div", {a, ctx.onnx.ints({divisor})});
}

OnnxValue modulo(const NodeContext& ctx, OnnxValue a, std::int64_t divisor)
{
    if (const auto size = known(ctx, a)) {
        return ctx.onnx.ints({*size % divisor});
    }
    return ctx.emit("Mod", {a, ctx.onnx.ints({divisor})});
}

OnnxValue larger(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.onnx.opset() >= firstIntegerExtremes ? ctx.emit("Max", {a, b})
                                                    : ctx.emit("Where", {ctx.emit("Greater", {a, b}), a, b});
}

OnnxValue smaller(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.onnx.opset() >= firstIntegerExtremes ? ctx.emit("Min", {a, b})
                                                    : ctx.emit("Where", {ctx.emit("Less", {a, b}), a, b});
}

OnnxValue scaled(const NodeContext& ctx, OnnxValue a, float factor)
{
    if (const auto size = known(ctx, a)) {
        const float product = static_cast<float>(*size) * factor;
        constexpr float limit = 9223372036854775808.0F; // 2^63
        const bool isTooLarge = !(std::abs(product) < limit);
        return constant(ctx, isTooLarge ? 0 : static_cast<std::int64_t>(product), isTooLarge);
    }
    const OnnxValue size = emit::cast(ctx, a, ElementType::Float32);
    const OnnxValue product = ctx.emit("Mul", {size, emit::scalarLike(ctx, size, static_cast<double>(factor))});
    return emit::cast(ctx, product, ElementType::Int64); // rounds towards zero
}

} // namespace crosswalk::forms::sizes
