#include "core/formats/pytorch/ops/dynamic_product.h"

#include <algorithm>
#include <limits>

namespace crosswalk::pytorch {

QuantizationRange quantizationRange(const NodeContext& ctx, OnnxValue x, ElementType type)
{
    const OnnxValue zero = ctx.onnx.scalar(type, 0);
    return {ctx.emit("Min", {emit::cast(ctx, emit::reduce(ctx, "ReduceMin", x, {}, false), type), zero}),
            ctx.emit("Max", {emit::cast(ctx, emit::reduce(ctx, "ReduceMax", x, {}, false), type), zero})};
}

OnnxValue dynamicProduct(const NodeContext& ctx, OnnxValue x, const QuantizedWeight& weight, bool reduceRange)
{
    using enum ElementType;
    const OnnxValue matrix = emit::transpose(ctx, weight.numbers, {1, 0});
    const auto withBias = [&](OnnxValue product) {
        return weight.bias ? ctx.emit("Add", {product, weight.bias}) : product;
    };
    if (!weight.scale) {
        return withBias(ctx.emit("MatMul", {x, emit::cast(ctx, matrix, ctx.element(x))}));
    }
    const double most = reduceRange ? 127 : 255;
    const auto [low, high] = quantizationRange(ctx, x, Float64);
    const OnnxValue exact = ctx.emit("Div", {ctx.emit("Sub", {high, low}), ctx.onnx.scalar(Float64, most)});
    // A scale whose reciprocal is infinite is 0.1, and a smaller one than 6.1e-5 is that.
    constexpr double smallest = 1.0 / std::numeric_limits<float>::max();
    const OnnxValue usable = ctx.emit(
        "Where", {ctx.emit("Less", {exact, ctx.onnx.scalar(Float64, smallest)}), ctx.onnx.scalar(Float64, 0.1), exact});
    constexpr double threshold = 6.1e-5F;
    const OnnxValue scale = emit::cast(ctx, ctx.emit("Max", {usable, ctx.onnx.scalar(Float64, threshold)}), Float32);
    const OnnxValue zeroPoint =
        emit::clip(ctx, ctx.emit("Round", {ctx.emit("Neg", {ctx.emit("Div", {low, usable})})}), 0, most);
    const OnnxValue steps = ctx.emit("Mul", {x, ctx.emit("Reciprocal", {scale})});
    const OnnxValue shifted = ctx.emit("Round", {ctx.emit("Add", {steps, emit::cast(ctx, zeroPoint, Float32)})});
    const OnnxValue numbers = emit::cast(ctx, emit::clip(ctx, shifted, 0, 255), UInt8);

    OnnxValues operands{numbers, matrix, emit::cast(ctx, zeroPoint, UInt8)};
    const auto vectorOf = [&](OnnxValue value, ElementType type) { // one for all outputs, or one for each
        return emit::reshape(ctx, emit::cast(ctx, value, type), Ints{-1});
    };
    const OnnxValue shift = vectorOf(weight.zeroPoint, Int8);
    const Tensor* stored = ctx.onnx.content(shift);
    const auto shifts = stored != nullptr ? stored->toInts() : Ints{1};
    if (std::ranges::any_of(shifts, [](std::int64_t one) { return one != 0; })) {
        operands.push_back(shift);
    }
    const OnnxValue sums = emit::cast(ctx, ctx.emit("MatMulInteger", operands), Float32);
    return withBias(ctx.emit("Mul", {sums, ctx.emit("Mul", {scale, vectorOf(weight.scale, Float32)})}));
}

} // namespace crosswalk::pytorch
