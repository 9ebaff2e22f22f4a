#include "core/convert/forms/tensor/fill.h"

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/int_vector.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::forms {
namespace {

/// Computed counts that turn out to be known are constants up to this length.
constexpr std::int64_t knownCountLimit = 4096;

/// Constants up to this size are stored in the file; larger ones are created at run time.
constexpr std::uint64_t storedLimit = 1U << 20U;

Ints fixedDims(const Shape& shape)
{
    Ints dims;
    std::transform(shape.begin(), shape.end(), std::back_inserter(dims), [](const Dim& dim) { return dim.size; });
    return dims;
}

} // namespace

OnnxValue constantOfShape(const NodeContext& ctx, ElementType type, OnnxValue dims, double value)
{
    return ctx.emit("ConstantOfShape", {dims}, {{"value", Tensor::filled(type, {1}, value)}});
}

OnnxValue filled(const NodeContext& ctx, ElementType type, const Ints& dims, double value)
{
    const auto count = elementCount(shapeOf(dims));
    if (!count || *count > elementLimit) {
        ctx.invalid("the tensor would have more than 2^31 elements", "shape");
    }
    if (static_cast<std::uint64_t>(*count) * byteSize(type) <= storedLimit) {
        return ctx.onnx.constant(Tensor::filled(type, dims, value));
    }
    return constantOfShape(ctx, type, ctx.onnx.ints(dims), value);
}

OnnxValue filledLike(const NodeContext& ctx, OnnxValue x, ElementType type, double value)
{
    const auto& shape = ctx.onnx.shape(x);
    if (shape && isFixed(*shape)) {
        return filled(ctx, type, fixedDims(*shape), value);
    }
    const OnnxValue y = constantOfShape(ctx, type, emit::shapeVector(ctx, x), value);
    if (const auto& known = ctx.onnx.shape(x)) {
        ctx.onnx.refine(y, *known);
    }
    return y;
}

namespace {

OnnxValue counted(const NodeContext& ctx, OnnxValue size)
{
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    return ctx.emit("Range", {zero, size, ctx.onnx.scalar(ElementType::Int64, 1)});
}

} // namespace

OnnxValue countTo(const NodeContext& ctx, std::int64_t count)
{
    if (static_cast<std::uint64_t>(count) * sizeof(std::int64_t) <= storedLimit) {
        Ints numbers(static_cast<std::size_t>(count));
        std::iota(numbers.begin(), numbers.end(), 0);
        return ctx.onnx.ints(numbers);
    }
    const OnnxValue y = counted(ctx, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(count)));
    ctx.onnx.refine(y, {Dim(count)});
    return y;
}

OnnxValue countUp(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const Dim dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (dim.isFixed()) {
        return countTo(ctx, dim.size);
    }
    const OnnxValue y = counted(ctx, emit::squeeze(ctx, emit::dimVector(ctx, x, axis), {0}));
    ctx.onnx.refine(y, {dim});
    return y;
}

OnnxValue countTo(const NodeContext& ctx, OnnxValue count)
{
    const auto known = knownInts(ctx, count);
    if (known && known->front() >= 0 && known->front() <= knownCountLimit) {
        Ints values(static_cast<std::size_t>(known->front()));
        std::iota(values.begin(), values.end(), 0);
        return ctx.onnx.ints(values);
    }
    return ctx.emit("Range", {ctx.onnx.scalar(ElementType::Int64, 0), scalarOf(ctx, count),
                              ctx.onnx.scalar(ElementType::Int64, 1)});
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

} // namespace crosswalk::forms
