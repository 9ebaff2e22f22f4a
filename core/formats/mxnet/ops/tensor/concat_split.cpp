// Concatenation, splitting and repetition of tensors.

#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/emit.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/convert/forms/vision/resize.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::mxnet {

namespace {

OnnxValues concat(NodeContext& ctx)
{
    const std::int64_t axis = ctx.axis(Attributes(ctx).integer("dim", 1), ctx.rank(ctx.input(0)), "dim");
    return {emit::concat(ctx, ctx.inputs(), axis)};
}

OnnxValues stack(NodeContext& ctx)
{
    return {stacked(ctx, ctx.inputs(), ctx.axis(Attributes(ctx).integer("axis", 0), ctx.rank(ctx.input(0)) + 1))};
}

OnnxValues squeezed(const NodeContext& ctx, OnnxValues parts, std::int64_t axis)
{
    for (OnnxValue& part : parts) {
        const Dim& dim = ctx.shape(part)[static_cast<std::size_t>(axis)];
        if (dim.isFixed() && dim.size != 1) {
            ctx.invalid(fmt::format("parts of size {} in dimension {} cannot be squeezed", dim.size, axis),
                        "squeeze_axis");
        }
        part = emit::squeeze(ctx, part, {axis});
    }
    return parts;
}

OnnxValues sliceChannel(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(attributes.integer("axis", 1), ctx.rank(x));
    OnnxValues parts = splitEvenly(ctx, x, axis, attributes.integer("num_outputs"), "num_outputs");
    return attributes.boolean("squeeze_axis", false) ? squeezed(ctx, std::move(parts), axis) : parts;
}

/// numpy's array_split: where the parts cannot have equal sizes, the first ones are larger by one.
OnnxValues splitInSections(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count)
{
    const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (count > std::numeric_limits<std::int32_t>::max() ||
        (dim.isFixed() && dim.size < count && !hasNumpyShapes(ctx))) {
        ctx.invalid(fmt::format("{} parts do not fit into {}", count, toString(ctx.shape(x))), "sections");
    }
    if (count == 1 || (dim.isFixed() && dim.size % count == 0)) {
        return splitEvenly(ctx, x, axis, count, "sections");
    }
    // Part i has (size + count - 1 - i) / count elements.
    Ints surplus(static_cast<std::size_t>(count));
    std::iota(surplus.rbegin(), surplus.rend(), 0);
    if (dim.isFixed()) {
        Ints sizes;
        for (const std::int64_t more : surplus) {
            sizes.push_back((dim.size + more) / count);
        }
        return emit::split(ctx, x, axis, sizes);
    }
    if (ctx.onnx.opset() < 13) {
        ctx.refuse("the sizes of the parts of an open dimension require opset 13", "sections");
    }
    const OnnxValue wide = ctx.emit("Add", {emit::dimVector(ctx, x, axis), ctx.onnx.ints(surplus)});
    const OnnxValue sizes = ctx.emit("Div", {wide, ctx.onnx.ints({count})});
    return ctx.onnx.add("Split", {x, sizes}, {{"axis", axis}}, surplus.size());
}

OnnxValues splitAtIndices(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Ints& indices)
{
    if (indices.empty() || indices.front() != 0) {
        ctx.invalid("the indices of parts begin at 0", "indices");
    }
    const std::int64_t size = ctx.fixedDim(x, axis);
    Ints sizes;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::int64_t end = i + 1 < indices.size() ? indices[i + 1] : size;
        if (indices[i] < 0 || end < indices[i] || end > size) {
            ctx.invalid(fmt::format("part {} extends from {} to {} in a dimension of {}", i, indices[i], end, size),
                        "indices");
        }
        sizes.push_back(end - indices[i]);
    }
    return emit::split(ctx, x, axis, sizes);
}

OnnxValues splitAlong(const NodeContext& ctx, std::int64_t given)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(given, ctx.rank(x));
    const std::int64_t sections = attributes.integer("sections", 0);
    OnnxValues parts = sections > 0 ? splitInSections(ctx, x, axis, sections)
                                    : splitAtIndices(ctx, x, axis, attributes.ints("indices"));
    return attributes.boolean("squeeze_axis", false) ? squeezed(ctx, std::move(parts), axis) : parts;
}

OnnxValues splitV2(NodeContext& ctx)
{
    return splitAlong(ctx, Attributes(ctx).integer("axis", 1));
}

/// numpy's column axis; a vector has only axis 0.
OnnxValues splitColumns(NodeContext& ctx)
{
    return splitAlong(ctx, ctx.rank(ctx.input(0)) == 1 ? 0 : 1);
}

OnnxValues splitDepth(NodeContext& ctx)
{
    if (Attributes(ctx).integer("axis", 1) != 2) {
        ctx.invalid("dsplit has axis 2", "axis");
    }
    return splitAlong(ctx, 2);
}

OnnxValues tile(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints reps = Attributes(ctx).ints("reps");
    const std::size_t rank = ctx.rank(x);
    if (std::any_of(reps.begin(), reps.end(), [](auto rep) { return rep < 0; })) {
        ctx.invalid("reps has a negative number", "reps");
    }
    OnnxValue wide = x;
    const bool isInFront = reps.size() > rank && std::all_of(reps.iteratorAt(reps.size() - rank), reps.end(),
                                                             [](auto rep) { return rep == 1; });
    if (isInFront) {
        return {emit::expand(ctx, x, ctx.onnx.ints(reps))};
    }
    if (reps.size() < rank) {
        reps.insert(reps.begin(), rank - reps.size(), 1);
    } else if (reps.size() > rank) {
        Ints front(reps.size() - rank);
        std::iota(front.begin(), front.end(), 0);
        wide = emit::unsqueeze(ctx, x, front);
    }
    const bool isOnce = std::all_of(reps.begin(), reps.end(), [](auto rep) { return rep == 1; });
    return {isOnce ? wide : ctx.emit("Tile", {wide, ctx.onnx.ints(reps)})};
}

/// Repeats each element (or slice) consecutively: on a new axis after it, which is then merged with it.
OnnxValues repeat(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    OnnxValue x = ctx.input(0);
    const std::int64_t repeats = attributes.integer("repeats");
    if (repeats < 1 || repeats > std::numeric_limits<std::int32_t>::max()) {
        ctx.invalid(fmt::format("repeats = {} leaves nothing", repeats), "repeats");
    }
    const auto given = attributes.optionalInteger("axis");
    if (!given) {
        x = reshapeTo(ctx, x, {restTerm()});
    }
    const std::int64_t axis = given ? ctx.axis(*given, ctx.rank(x)) : 0;
    if (repeats == 1) {
        return {x};
    }
    ShapeTerms terms = termsOf(ctx, x);
    ShapeTerm& merged = terms[static_cast<std::size_t>(axis)];
    merged.dim = merged.dim.isFixed() ? Dim(merged.dim.size * repeats) : Dim();
    merged.factor = repeats;
    // Resize computes its indices in float32.
    const bool isSmall = merged.dim.isFixed() && merged.dim.size <= (std::int64_t{1} << 20U);
    if (ctx.element(x) == ElementType::Float32 && isSmall) {
        const OnnxValue y = enlarge(ctx, x, axis, repeats);
        ctx.onnx.refine(y, knownShape(terms));
        return {y};
    }
    const OnnxValue apart = emit::unsqueeze(ctx, x, {axis + 1});
    Ints reps(ctx.rank(apart), 1);
    reps[static_cast<std::size_t>(axis) + 1] = repeats;
    return {reshapeTo(ctx, ctx.emit("Tile", {apart, ctx.onnx.ints(reps)}), terms)};
}

} // namespace

std::span<const OpRow> concatSplitOps()
{
    static constexpr OpRow rows[] = {
        {"Concat", concat, "Concat"},
        {"SliceChannel", sliceChannel, "Split, Squeeze"},
        {"_npi_dsplit", splitDepth, "Split, Squeeze"},
        {"_npi_hsplit", splitColumns, "Split, Squeeze"},
        {"_npi_stack", stack, "Concat, Reshape"},
        {"_rnn_param_concat", concat, "Concat", Support::Exact, "a constant if its parts are stored"},
        {"_split_v2", splitV2, "Split, Squeeze"},
        {"repeat", repeat, "Resize, or Unsqueeze, Tile, Reshape for types other than float32"},
        {"stack", stack, "Concat, Reshape"},
        {"tile", tile, "Tile"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
