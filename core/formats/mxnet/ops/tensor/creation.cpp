// Tensor creation, from attributes or from a shape.

#include "core/convert/forms/tensor/fill.h"

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/deferred_shapes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"
#include "core/formats/mxnet/type_hints.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

Ints fixedDims(const Shape& shape)
{
    Ints dims;
    std::transform(shape.begin(), shape.end(), std::back_inserter(dims), [](const Dim& dim) { return dim.size; });
    return dims;
}

/// The shape in the node's attribute. Under the classic rules MXNet infers a dimension of 0 from the consumers: here
/// the inferred size if known, else 1, where that broadcasts.
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
        } else if (isOpen && isClassic &&
                   dependsOnOpenSize(ctx.graph, ctx.node.outputs.front(), static_cast<std::int64_t>(i))) {
            ctx.refuse(
                fmt::format("its size in dimension {} is open, and does not follow from the inputs of the model", i),
                "shape");
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
    const Attributes attributes(ctx);
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    return named(ctx, type, castNumber(ctx, type, attributes.number("value"), "value"));
}

/// Its dtype is a number; -1 means that the consumers determine it: float32 then.
OnnxValues zerosWithoutType(NodeContext& ctx)
{
    const std::int64_t code = Attributes(ctx).integer("dtype", -1);
    const ElementType type = code == -1 ? ElementType::Float32 : elementTypeOf(code);
    if (type == ElementType::Undefined) {
        ctx.invalid(fmt::format("dtype {} is not an MXNet type", code), "dtype");
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

} // namespace

std::span<const OpRow> creationOps()
{
    static constexpr OpRow rows[] = {
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
    return rows;
}

} // namespace crosswalk::mxnet
