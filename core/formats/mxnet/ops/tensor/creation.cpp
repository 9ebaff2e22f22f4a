// Tensors out of nothing, or out of a shape.

#include "core/formats/mxnet/ops/tensor/creation.h"

#include "core/convert/emit.h"
#include "core/formats/mxnet/deferred_shapes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/shape_terms.h"
#include "core/formats/mxnet/type_hints.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// Constants up to this size stand in the file; larger ones are made when the model runs.
constexpr std::uint64_t storedLimit = 1U << 20U;

OnnxValue constantOfShape(const NodeContext& ctx, ElementType type, OnnxValue dims, double value)
{
    return ctx.emit("ConstantOfShape", {dims}, {{"value", Tensor::filled(type, {1}, value)}});
}

Ints fixedDims(const Shape& shape)
{
    Ints dims;
    std::transform(shape.begin(), shape.end(), std::back_inserter(dims), [](const Dim& dim) { return dim.size; });
    return dims;
}

} // namespace

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

namespace {

/// The shape that the node names. Classic rules have 0 for a dimension that MXNet fills in from the consumers: the size
/// that it then has, where that is known, and 1 elsewhere, which broadcasts.
ShapeTerms namedShape(const NodeContext& ctx)
{
    const bool isClassic = !hasNumpyShapes(ctx);
    const Ints dims = Attributes(ctx).ints("shape");
    if (std::any_of(dims.begin(), dims.end(), [&](auto dim) { return dim < (isClassic ? 0 : -1); })) {
        ctx.invalid("shape has a negative dimension", "shape");
    }
    const auto* axes = isClassic ? attributeOf<Ints>(ctx.node, deferredAxes) : nullptr;
    ShapeTerms terms;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const bool isOpen = dims[i] == (isClassic ? 0 : -1);
        const bool isKnown = isOpen && axes != nullptr && ctx.hasInput(i);
        const std::optional<Shape> shape = isKnown ? ctx.onnx.shape(ctx.input(i)) : std::nullopt;
        if (shape && static_cast<std::size_t>((*axes)[i]) < shape->size()) {
            terms.push_back(termOf(ctx, ctx.input(i), {(*axes)[i]}));
        } else {
            terms.push_back(fixedTerm(isOpen ? 1 : dims[i]));
        }
    }
    return terms;
}

OnnxValues named(const NodeContext& ctx, ElementType type, double value)
{
    const ShapeTerms terms = namedShape(ctx);
    const Shape shape = knownShape(terms);
    if (isFixed(shape)) {
        return {filled(ctx, type, fixedDims(shape), value)};
    }
    const OnnxValue y = constantOfShape(ctx, type, shapeVector(ctx, terms), value);
    ctx.onnx.refine(y, shape);
    return {y};
}

OnnxValues named(const NodeContext& ctx, double value)
{
    return named(ctx, Attributes(ctx).elementType("dtype", ElementType::Float32), value);
}

OnnxValues zeros(NodeContext& ctx)
{
    return named(ctx, 0);
}

OnnxValues ones(NodeContext& ctx)
{
    return named(ctx, 1);
}

OnnxValues full(NodeContext& ctx)
{
    return named(ctx, Attributes(ctx).number("value"));
}

/// Its dtype is a number, -1 where the consumers decide: float32 then.
OnnxValues zerosWithoutType(NodeContext& ctx)
{
    const std::int64_t code = Attributes(ctx).integer("dtype", -1);
    const ElementType type = code == -1 ? ElementType::Float32 : elementTypeOf(code);
    if (type == ElementType::Undefined) {
        ctx.invalid(fmt::format("dtype {} is no type of MXNet's", code), "dtype");
    }
    return named(ctx, type, 0);
}

OnnxValues zerosLike(NodeContext& ctx)
{
    return {filledLike(ctx, ctx.input(0), ctx.element(ctx.input(0)), 0)};
}

OnnxValues onesLike(NodeContext& ctx)
{
    return {filledLike(ctx, ctx.input(0), ctx.element(ctx.input(0)), 1)};
}

OnnxValues shapeArray(NodeContext& ctx)
{
    return {emit::shapeVector(ctx, ctx.input(0))};
}

OnnxValues sizeArray(NodeContext& ctx)
{
    Ints axes(ctx.rank(ctx.input(0)));
    std::iota(axes.begin(), axes.end(), 0);
    return {emit::dimProduct(ctx, ctx.input(0), axes)};
}

constexpr OpRow rows[] = {
    {"_full", full, "a constant, or ConstantOfShape"},
    {"_npi_ones", ones, "a constant, or ConstantOfShape"},
    {"_npi_zeros", zeros, "a constant, or ConstantOfShape"},
    {"_ones", ones, "a constant, or ConstantOfShape"},
    {"_zeros", zeros, "a constant, or ConstantOfShape"},
    {"_zeros_without_dtype", zerosWithoutType, "a constant, or ConstantOfShape"},
    {"ones_like", onesLike, "a constant, or ConstantOfShape"},
    {"shape_array", shapeArray, "Shape"},
    {"size_array", sizeArray, "Shape, Slice, Mul"},
    {"zeros_like", zerosLike, "a constant, or ConstantOfShape"},
};

} // namespace

std::span<const OpRow> creationOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
