// Parts of tensors along an axis.

#include "core/formats/pytorch/ops/parts.h"

#include "core/base/rounded_quotient.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::pytorch {

void limitParts(const NodeContext& ctx, std::int64_t count)
{
    if (count > mostParts) {
        ctx.refuse(fmt::format("it has {} parts; at most {} are supported", count, mostParts));
    }
}

OnnxValues partsUntil(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const OnnxValues& ends)
{
    const OnnxValue axes = ctx.onnx.ints({axis});
    OnnxValues parts;
    OnnxValue start = ctx.onnx.ints({0});
    for (const OnnxValue end : ends) {
        parts.push_back(emit::slice(ctx, x, start, end, axes));
        start = end;
    }
    return parts;
}

OnnxValues slicesAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const std::int64_t count = ctx.fixedDim(x, axis);
    limitParts(ctx, count);
    OnnxValues slices;
    for (std::int64_t i = 0; i < count; ++i) {
        const Tensor index = Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&i, 1));
        slices.push_back(emit::gather(ctx, x, ctx.onnx.constant(index), axis));
    }
    return slices;
}

OnnxValues elementVectors(const NodeContext& ctx, OnnxValue vector)
{
    const std::int64_t count = ctx.fixedDim(vector, 0);
    limitParts(ctx, count);
    const OnnxValue integers = emit::cast(ctx, vector, ElementType::Int64);
    OnnxValues elements;
    for (std::int64_t i = 0; i < count; ++i) {
        elements.push_back(emit::slice(ctx, integers, Ints{i}, Ints{i + 1}, Ints{0}));
    }
    return elements;
}

namespace {

/// The axis along which a tensor is cut. A scalar has none, unlike for other operators.
std::int64_t axisOfParts(const NodeContext& ctx, const Arguments& arguments, OnnxValue x)
{
    return ctx.axis(arguments.integer("dim", 0), ctx.rank(x), "dim");
}

/// Parts of an axis of open size, as many as the node has results. A program with another number of parts raises.
OnnxValues openParts(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue size)
{
    OnnxValues ends;
    for (std::size_t i = 0; i < ctx.node.outputs.size(); ++i) {
        ends.push_back(i == 0 ? size : forms::sizes::plus(ctx, ends.back(), size));
    }
    return partsUntil(ctx, x, axis, ends);
}

/// Parts of given sizes, some of which are computed.
OnnxValues partsOfSizes(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue sizes)
{
    const std::int64_t count = ctx.fixedDim(sizes, 0);
    limitParts(ctx, count);
    constexpr int firstWithComputedSizes = 13;
    if (ctx.onnx.opset() >= firstWithComputedSizes && count > 1) { // checks that the sizes add up
        return ctx.onnx.add("Split", {x, sizes}, {{"axis", axis}}, static_cast<std::size_t>(count));
    }
    OnnxValues ends = elementVectors(ctx, sizes);
    for (std::size_t i = 1; i < ends.size(); ++i) {
        ends[i] = forms::sizes::plus(ctx, ends[i - 1], ends[i]);
    }
    return partsUntil(ctx, x, axis, ends);
}

OnnxValues partsOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t size)
{
    if (size > 0 && !ctx.shape(x)[static_cast<std::size_t>(axis)].isFixed()) {
        return openParts(ctx, x, axis, ctx.onnx.ints({size}));
    }
    const std::int64_t whole = ctx.fixedDim(x, axis);
    if (size < 1) {
        ctx.refuse("parts without elements are not supported", "split_size");
    }
    limitParts(ctx, whole / size);
    Ints sizes;
    for (std::int64_t done = 0; done < whole; done += size) {
        sizes.push_back(std::min(size, whole - done));
    }
    return sizes.size() < 2 ? OnnxValues{x} : emit::split(ctx, x, axis, sizes);
}

OnnxValues split(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = axisOfParts(ctx, arguments, x);
    const std::string_view name = arguments.has("split_sizes") ? "split_sizes" : "split_size";
    if (name != "split_sizes" && arguments.overload() != "sizes") {
        return partsOf(ctx, x, axis, arguments.integer("split_size", 1));
    }
    const OnnxValue sizes = arguments.vector(name);
    const auto known = forms::knownInts(ctx, sizes);
    if (!known) {
        return partsOfSizes(ctx, x, axis, sizes);
    }
    return known->size() == 1 ? OnnxValues{x} : emit::split(ctx, x, axis, *known);
}

OnnxValues chunk(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = axisOfParts(ctx, arguments, x);
    constexpr std::int64_t mostParts = std::numeric_limits<std::int32_t>::max(); // more are of one element as well
    const std::int64_t count = std::min(arguments.positive("chunks", 1), mostParts);
    if (!ctx.shape(x)[static_cast<std::size_t>(axis)].isFixed()) {
        const OnnxValue whole = emit::dimVector(ctx, x, axis);
        const OnnxValue more = forms::sizes::plus(ctx, whole, ctx.onnx.ints({count - 1}));
        return openParts(ctx, x, axis, forms::sizes::over(ctx, more, count));
    }
    return partsOf(ctx, x, axis, std::max<std::int64_t>(quotientRoundedUp(ctx.fixedDim(x, axis), count), 1));
}

/// The ends of so many parts but the last one; the first parts are one longer.
Ints endsOfParts(const NodeContext& ctx, std::int64_t whole, std::int64_t count)
{
    limitParts(ctx, count);
    Ints ends;
    for (std::int64_t i = 1; i < count; ++i) {
        ends.push_back(whole / count * i + std::min(whole % count, i));
    }
    return ends;
}

/// Equal parts of an axis of open size; the first ones have an element more if they do not divide it.
OnnxValues openSections(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count)
{
    limitParts(ctx, count);
    const OnnxValue whole = emit::dimVector(ctx, x, axis);
    const OnnxValue least = forms::sizes::over(ctx, whole, count);
    const OnnxValue more = forms::sizes::modulo(ctx, whole, count);
    OnnxValues ends;
    for (std::int64_t i = 1; i <= count; ++i) {
        const OnnxValue extra = forms::sizes::smaller(ctx, more, ctx.onnx.ints({i}));
        ends.push_back(forms::sizes::plus(ctx, forms::sizes::times(ctx, least, i), extra));
    }
    return partsUntil(ctx, x, axis, ends);
}

/// Parts that end at indices, or so many parts of which the first are one longer. `kind`: 0 along an axis, else along
/// the first, the second (of vectors the first) or the third axis.
template <int kind>
OnnxValues tensorSplit(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t fixedAxis = kind == 2 && ctx.rank(x) == 1 ? 0 : kind - 1;
    const std::int64_t axis = kind == 0 ? axisOfParts(ctx, arguments, x) : ctx.axis(fixedAxis, ctx.rank(x));
    if (arguments.has("sections") && !ctx.shape(x)[static_cast<std::size_t>(axis)].isFixed()) {
        return openSections(ctx, x, axis, arguments.positive("sections", 1));
    }
    const std::int64_t whole = ctx.fixedDim(x, axis);
    Ints ends;
    if (arguments.has("indices")) {
        ends = arguments.integers("indices").value_or(Ints());
    } else if (arguments.has("tensor_indices_or_sections")) {
        const OnnxValue given = arguments.tensor("tensor_indices_or_sections");
        if (ctx.rank(given) > 1) {
            ctx.invalid("the indices are not a vector", "tensor_indices_or_sections");
        }
        const bool areIndices = ctx.rank(given) == 1;
        const auto known = forms::knownInts(ctx, given);
        if (areIndices && !known) {
            OnnxValues computed = elementVectors(ctx, given);
            computed.push_back(ctx.onnx.ints({emit::farEnd}));
            return partsUntil(ctx, x, axis, computed);
        }
        if (!known) {
            ctx.refuse("a number of parts computed when the model runs is not supported", "tensor_indices_or_sections");
        }
        ends = areIndices ? *known : endsOfParts(ctx, whole, known->front());
    } else {
        ends = endsOfParts(ctx, whole, arguments.positive("sections", 1));
    }
    ends.push_back(whole);
    OnnxValues parts;
    std::int64_t start = 0;
    for (const std::int64_t given : ends) {
        const std::int64_t end = std::clamp<std::int64_t>(given < 0 ? given + whole : given, 0, whole);
        parts.push_back(emit::slice(ctx, x, Ints{start}, Ints{std::max(start, end)}, Ints{axis}));
        start = end;
    }
    return parts;
}

OnnxValues unbind(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = axisOfParts(ctx, arguments, x);
    if (!ctx.shape(x)[static_cast<std::size_t>(axis)].isFixed()) {
        // A program with another number of parts raises, as ONNX's Split does.
        OnnxValues parts = emit::split(ctx, x, axis, Ints(ctx.node.outputs.size(), 1));
        for (OnnxValue& part : parts) {
            part = emit::squeeze(ctx, part, {axis});
        }
        return parts;
    }
    return slicesAlong(ctx, x, axis);
}

/// The parts that a function cuts. A program that takes another number of them raises, as it may for other shapes.
template <OnnxValues (*cut)(NodeContext&)>
OnnxValues allParts(NodeContext& ctx)
{
    OnnxValues parts = cut(ctx);
    if (parts.size() != ctx.node.outputs.size()) {
        ctx.invalid(
            fmt::format("it returns {} parts, but the program takes {}", parts.size(), ctx.node.outputs.size()));
    }
    return parts;
}

} // namespace

std::span<const OpRow> partOps()
{
    static constexpr OpRow rows[] = {
        {"aten::split", allParts<split>, "Split; Slice"},
        {"aten::split_copy", allParts<split>, "Split; Slice"},
        {"aten::split_with_sizes", allParts<split>, "Split; Slice"},
        {"aten::split_with_sizes_copy", allParts<split>, "Split; Slice"},
        {"aten::chunk", allParts<chunk>, "Split; Slice"},
        {"aten::unsafe_chunk", allParts<chunk>, "Split; Slice"},
        {"aten::unsafe_split", allParts<split>, "Split; Slice"},
        {"aten::unsafe_split_with_sizes", allParts<split>, "Split; Slice"},
        {"aten::tensor_split", allParts<tensorSplit<0>>, "Slice"},
        {"aten::vsplit", allParts<tensorSplit<1>>, "Slice"},
        {"aten::hsplit", allParts<tensorSplit<2>>, "Slice"},
        {"aten::dsplit", allParts<tensorSplit<3>>, "Slice"},
        {"aten::unbind", allParts<unbind>, "Gather; Split, Squeeze"},
        {"aten::unbind_copy", allParts<unbind>, "Gather; Split, Squeeze"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
