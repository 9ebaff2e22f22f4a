// Parts of tensors along an axis.

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
namespace {

OnnxValue partBetween(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue start, OnnxValue end)
{
    return emit::slice(ctx, x, start, end, ctx.onnx.ints({axis}));
}

void limitParts(const NodeContext& ctx, std::int64_t count)
{
    if (count > mostParts) {
        ctx.refuse(fmt::format("it has {} parts; at most {} are supported", count, mostParts));
    }
}

/// Parts of an axis of open size, as many as the node has results. A program with another number of parts raises.
OnnxValues openParts(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue size)
{
    OnnxValues parts;
    OnnxValue start = ctx.onnx.ints({0});
    for (std::size_t i = 1; i <= ctx.node.outputs.size(); ++i) {
        const OnnxValue end = i == 1 ? size : forms::sizes::plus(ctx, start, size);
        parts.push_back(partBetween(ctx, x, axis, start, end));
        start = end;
    }
    return parts;
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
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const std::string_view name = arguments.has("split_sizes") ? "split_sizes" : "split_size";
    const Ints sizes = arguments.integers(name).value_or(Ints());
    const bool isList = name == "split_sizes" || arguments.overload() == "sizes";
    return isList ? (sizes.size() == 1 ? OnnxValues{x} : emit::split(ctx, x, axis, sizes))
                  : partsOf(ctx, x, axis, arguments.integer("split_size", 1));
}

OnnxValues chunk(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
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

/// Parts that end at a vector of indices.
OnnxValues splitAtComputed(const NodeContext& ctx, OnnxValue x, OnnxValue indices, std::int64_t axis)
{
    const std::int64_t count = ctx.fixedDim(indices, 0);
    limitParts(ctx, count);
    const OnnxValue places = emit::cast(ctx, indices, ElementType::Int64);
    const OnnxValue axes = ctx.onnx.ints({axis});
    OnnxValue start = ctx.onnx.ints({0});
    OnnxValues parts;
    for (std::int64_t i = 0; i < count; ++i) {
        const OnnxValue end = emit::slice(ctx, places, Ints{i}, Ints{i + 1}, Ints{0});
        parts.push_back(emit::slice(ctx, x, start, end, axes));
        start = end;
    }
    parts.push_back(emit::slice(ctx, x, start, ctx.onnx.ints({emit::farEnd}), axes));
    return parts;
}

/// Equal parts of an axis of open size; the first ones have an element more if they do not divide it.
OnnxValues openSections(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count)
{
    limitParts(ctx, count);
    const OnnxValue whole = emit::dimVector(ctx, x, axis);
    const OnnxValue least = forms::sizes::over(ctx, whole, count);
    const OnnxValue more = forms::sizes::modulo(ctx, whole, count);
    OnnxValues parts;
    OnnxValue start = ctx.onnx.ints({0});
    for (std::int64_t i = 1; i <= count; ++i) {
        const OnnxValue extra = forms::sizes::smaller(ctx, more, ctx.onnx.ints({i}));
        const OnnxValue end = forms::sizes::plus(ctx, forms::sizes::times(ctx, least, i), extra);
        parts.push_back(partBetween(ctx, x, axis, start, end));
        start = end;
    }
    return parts;
}

/// Parts that end at indices, or so many parts of which the first are one longer. `kind`: 0 along an axis, else along
/// the first, the second (of vectors the first) or the third axis.
template <int kind>
OnnxValues tensorSplit(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = kind == 0   ? arguments.axis("dim", 0, ctx.rank(x))
                              : kind == 2 ? (ctx.rank(x) == 1 ? 0 : 1)
                                          : kind - 1;
    if (arguments.has("sections") && !ctx.shape(x)[static_cast<std::size_t>(axis)].isFixed()) {
        return openSections(ctx, x, axis, arguments.positive("sections", 1));
    }
    const std::int64_t whole = ctx.fixedDim(x, axis);
    Ints ends;
    if (arguments.has("indices")) {
        ends = arguments.integers("indices").value_or(Ints());
    } else if (arguments.has("tensor_indices_or_sections")) {
        const OnnxValue given = arguments.tensor("tensor_indices_or_sections");
        const auto known = forms::knownInts(ctx, given);
        if (ctx.rank(given) == 1 && !known) {
            return splitAtComputed(ctx, x, given, axis);
        }
        if (!known) {
            ctx.refuse("a number of parts computed when the model runs is not supported", "tensor_indices_or_sections");
        }
        ends = ctx.rank(given) == 1 ? *known : endsOfParts(ctx, whole, known->front());
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
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    limitParts(ctx, ctx.fixedDim(x, axis));
    OnnxValues parts;
    for (std::int64_t i = 0; i < ctx.fixedDim(x, axis); ++i) {
        parts.push_back(emit::gather(
            ctx, x, ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&i, 1))), axis));
    }
    return parts;
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
        {"aten::split", allParts<split>, "Split"},
        {"aten::split_copy", allParts<split>, "Split"},
        {"aten::split_with_sizes", allParts<split>, "Split"},
        {"aten::split_with_sizes_copy", allParts<split>, "Split"},
        {"aten::chunk", allParts<chunk>, "Split"},
        {"aten::unsafe_chunk", allParts<chunk>, "Split"},
        {"aten::unsafe_split", allParts<split>, "Split"},
        {"aten::unsafe_split_with_sizes", allParts<split>, "Split"},
        {"aten::tensor_split", allParts<tensorSplit<0>>, "Split"},
        {"aten::vsplit", allParts<tensorSplit<1>>, "Split"},
        {"aten::hsplit", allParts<tensorSplit<2>>, "Split"},
        {"aten::dsplit", allParts<tensorSplit<3>>, "Split"},
        {"aten::unbind", allParts<unbind>, "Gather"},
        {"aten::unbind_copy", allParts<unbind>, "Gather"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
