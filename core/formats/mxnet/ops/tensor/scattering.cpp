// Gathers and scatters by multi-dimensional indices, and converts indices.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// MXNet stores the components of an index on the first axis, ONNX on the last.
OnnxValue partsLast(const NodeContext& ctx, OnnxValue indices)
{
    if (ctx.rank(indices) < 2) {
        ctx.invalid(fmt::format("{} requires indices of at least two dimensions", ctx.node.op));
    }
    Ints axes(ctx.rank(indices));
    std::iota(axes.begin(), axes.end(), 0);
    std::rotate(axes.begin(), axes.iteratorAt(1), axes.end());
    return emit::transpose(ctx, emit::cast(ctx, indices, ElementType::Int64), axes);
}

OnnxValues gatherNd(NodeContext& ctx)
{
    return {ctx.emit("GatherND", {ctx.input(0), partsLast(ctx, ctx.input(1))})};
}

OnnxValues scatterNd(NodeContext& ctx)
{
    const OnnxValue values = ctx.input(0);
    const Ints shape = Attributes(ctx).ints("shape");
    if (std::any_of(shape.begin(), shape.end(), [](auto dim) { return dim < 1; })) {
        ctx.refuse("MXNet infers the shape from the consumers", "shape", "name it");
    }
    const OnnxValue zeros = filled(ctx, ctx.element(values), shape, 0);
    return {ctx.emit("ScatterND", {zeros, partsLast(ctx, ctx.input(1)), values})};
}

OnnxValues scatterSetNd(NodeContext& ctx)
{
    return {ctx.emit("ScatterND", {ctx.input(0), partsLast(ctx, ctx.input(2)), ctx.input(1)})};
}

/// Replaces rows of a tensor.
OnnxValues indexCopy(NodeContext& ctx)
{
    const OnnxValue places = emit::unsqueeze(ctx, emit::cast(ctx, ctx.input(1), ElementType::Int64), {1});
    return {ctx.emit("ScatterND", {ctx.input(0), places, ctx.input(2)})};
}

/// For each element its indices along some axes, on a new last axis.
OnnxValues indexArray(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    Ints axes = Attributes(ctx).ints("axes");
    if (axes.empty()) {
        axes.resize(rank);
        std::iota(axes.begin(), axes.end(), 0);
    }
    ShapeTerms terms = termsOf(ctx, x);
    terms.push_back(fixedTerm(1));
    OnnxValues parts;
    for (const auto given : axes) {
        const std::int64_t axis = ctx.axis(given, rank, "axes");
        Ints others;
        for (std::int64_t i = 0; i <= static_cast<std::int64_t>(rank); ++i) {
            if (i != axis) {
                others.push_back(i);
            }
        }
        parts.push_back(expandTo(ctx, emit::unsqueeze(ctx, countUp(ctx, x, axis), others), terms));
    }
    return {emit::concat(ctx, parts, static_cast<std::int64_t>(rank))};
}

OnnxValues booleanMask(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(Attributes(ctx).integer("axis", 0), ctx.rank(x));
    const OnnxValue isKept = emit::cast(ctx, ctx.input(1), ElementType::Bool);
    return {ctx.emit("Compress", {x, isKept}, {{"axis", axis}})};
}

OnnxValues oneHot(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t depth = attributes.integer("depth");
    const double on = attributes.number("on_value", 1);
    const double off = attributes.number("off_value", 0);
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    if (depth < 1 || depth > elementLimit) {
        ctx.invalid(fmt::format("depth = {} is not a valid dimension", depth), "depth");
    }
    // ONNX's OneHot counts a negative index from the back; in MXNet it matches no position.
    const OnnxValue indices = emit::cast(ctx, ctx.input(0), ElementType::Int64);
    const OnnxValue apart = emit::unsqueeze(ctx, indices, {static_cast<std::int64_t>(ctx.rank(indices))});
    const OnnxValue isPlace = ctx.emit("Equal", {apart, countTo(ctx, depth)});
    if (on == 1 && off == 0) {
        return {emit::cast(ctx, isPlace, type)};
    }
    const bool isLacking = type == ElementType::Bool || type == ElementType::Int16 || type == ElementType::UInt16;
    const ElementType wide = isLacking ? ElementType::Int32 : type;
    const OnnxValue onValue = ctx.onnx.scalar(wide, castNumber(ctx, type, on, "on_value"));
    const OnnxValue offValue = ctx.onnx.scalar(wide, castNumber(ctx, type, off, "off_value"));
    const OnnxValue chosen = ctx.emit("Where", {isPlace, onValue, offValue});
    return {emit::cast(ctx, chosen, type)};
}

/// The checked dimensions of the space of flat indices; the first may be open (-1).
Ints ravelShape(const NodeContext& ctx)
{
    Ints shape = Attributes(ctx).ints("shape");
    const bool isBad = std::any_of(shape.begin() + (shape.empty() ? 0 : 1), shape.end(), [](auto d) { return d < 1; });
    const auto inner = shape.empty() ? std::nullopt : elementCount(shapeOf(Ints(shape.iteratorAt(1), shape.end())));
    if (shape.empty() || isBad || shape.front() == 0 || shape.front() < -1 || !inner) {
        ctx.invalid("shape is not the shape of a tensor", "shape");
    }
    return shape;
}

/// The stride of each axis.
Ints strides(const Ints& shape)
{
    Ints steps(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) {
        steps[i - 1] = steps[i] * shape[i];
    }
    return steps;
}

OnnxValues ravel(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints dims(ctx.rank(x), 1);
    const Ints steps = strides(ravelShape(ctx));
    dims.front() = static_cast<std::int64_t>(steps.size());
    const OnnxValue weights = ctx.onnx.constant(Tensor::ints(steps).reshaped(dims));
    const OnnxValue parts = ctx.emit("Mul", {emit::cast(ctx, x, ElementType::Int64), weights});
    return {emit::cast(ctx, emit::reduce(ctx, "ReduceSum", parts, {0}, false), ctx.element(x))};
}

OnnxValues unravel(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) > 1 && !hasNumpyShapes(ctx)) {
        ctx.refuse(fmt::format("indices of {} dimensions: MXNet writes past the end of its output for them, so what it "
                               "computes is not defined",
                               ctx.rank(x)));
    }
    Ints shape = ravelShape(ctx);
    Ints dims(ctx.rank(x) + 1, 1);
    dims.front() = static_cast<std::int64_t>(shape.size());
    const Tensor steps = Tensor::ints(strides(shape)).reshaped(dims);
    const OnnxValue flat = emit::unsqueeze(ctx, emit::cast(ctx, x, ElementType::Int64), {0});
    const OnnxValue whole = ctx.emit("Div", {flat, ctx.onnx.constant(steps)});
    shape.front() = std::numeric_limits<std::int64_t>::max(); // the first axis has no upper limit
    const OnnxValue parts = ctx.emit("Mod", {whole, ctx.onnx.constant(Tensor::ints(shape).reshaped(dims))});
    return {emit::cast(ctx, parts, ctx.element(x))};
}

/// data[i, place[i]] = value[i].
OnnxValues fillElement(NodeContext& ctx)
{
    const OnnxValue place = emit::unsqueeze(ctx, emit::cast(ctx, ctx.input(2), ElementType::Int64), {1});
    const OnnxValue value = emit::unsqueeze(ctx, ctx.input(1), {1});
    return {ctx.onnx.add("ScatterElements", {ctx.input(0), place, value}, {{"axis", std::int64_t{1}}})};
}

} // namespace

std::span<const OpRow> scatteringOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_boolean_mask", booleanMask, "Compress"},
        {"_contrib_index_array", indexArray, "Expand, Concat"},
        {"_contrib_index_copy", indexCopy, "ScatterND"},
        {"_ravel_multi_index", ravel, "Mul, ReduceSum"},
        {"_scatter_set_nd", scatterSetNd, "ScatterND"},
        {"_unravel_index", unravel, "Div, Mod"},
        {"fill_element_0index", fillElement, "ScatterElements"},
        {"gather_nd", gatherNd, "GatherND"},
        {"one_hot", oneHot, "Equal, Cast"},
        {"scatter_nd", scatterNd, "ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
