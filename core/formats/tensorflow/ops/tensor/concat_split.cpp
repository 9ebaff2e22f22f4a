// Concatenation and splitting of tensors.

#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

OnnxValue joined(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis)
{
    if (parts.empty()) {
        ctx.invalid("there are no inputs to join");
    }
    // All parts have one rank: a part of unknown rank has that of the others.
    const auto known = std::ranges::find_if(parts, [&](OnnxValue part) { return ctx.onnx.shape(part).has_value(); });
    const std::size_t rank = ctx.rank(known != parts.end() ? *known : parts.front());
    for (const OnnxValue part : parts) {
        if (!ctx.onnx.shape(part)) {
            ctx.onnx.refine(part, Shape(rank));
        }
    }
    return emit::concat(ctx, parts, ctx.axis(axis, rank));
}

/// The axis comes first.
OnnxValues concat(NodeContext& ctx)
{
    return {joined(ctx, {ctx.inputs().iteratorAt(1), ctx.inputs().end()}, constantInt(ctx, 0, "the axis"))};
}

/// The axis comes last.
OnnxValues concatV2(NodeContext& ctx)
{
    return {joined(ctx, {ctx.inputs().begin(), ctx.inputs().iteratorAt(ctx.inputs().size() - 1)},
                   constantInt(ctx, ctx.inputCount() - 1, "the axis"))};
}

OnnxValues parallelConcat(NodeContext& ctx)
{
    return {joined(ctx, ctx.inputs(), 0)};
}

OnnxValues pack(NodeContext& ctx)
{
    const std::int64_t given = Settings(ctx).integer("axis");
    OnnxValues parts;
    std::int64_t axis = given;
    for (const OnnxValue part : ctx.inputs()) {
        axis = ctx.axis(given, ctx.rank(part) + 1);
        parts.push_back(emit::unsqueeze(ctx, part, {axis}));
    }
    return {joined(ctx, parts, axis)};
}

OnnxValues unpack(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(settings.integer("axis"), ctx.rank(x));
    const std::int64_t count = settings.integer("num");
    const Dim& size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (count < 0 || (size.isFixed() && size.size != count)) {
        ctx.invalid(fmt::format("num = {} does not match a dimension of {}", count, size.size), "num");
    }
    if (count == 0) {
        return {};
    }
    OnnxValues parts = splitEvenly(ctx, x, axis, count);
    for (OnnxValue& part : parts) {
        part = emit::squeeze(ctx, part, {axis});
    }
    return parts;
}

OnnxValues split(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(1);
    const std::int64_t axis = ctx.axis(constantInt(ctx, 0, "the axis"), ctx.rank(x), "split_dim");
    return splitEvenly(ctx, x, axis, Settings(ctx).integer("num_split"), "num_split");
}

/// Parts of which one (size -1) takes the rest: slices from both ends, so no size has to be computed.
OnnxValues aroundOpenPart(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Ints& sizes)
{
    OnnxValues parts;
    std::int64_t start = 0; // negative behind the open part
    for (const auto size : sizes) {
        std::int64_t end = start + size;
        if (size == -1) {
            const auto behind = sizes.iteratorAt(parts.size() + 1);
            end = -std::accumulate(behind, sizes.end(), std::int64_t{0});
        }
        const bool reachesEnd = end == 0 && (size == -1 || start < 0);
        parts.push_back(emit::slice(ctx, x, Ints{start}, Ints{reachesEnd ? emit::farEnd : end}, Ints{axis}));
        start = end;
    }
    return parts;
}

OnnxValues splitBySizes(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(constantInt(ctx, 2, "the axis"), ctx.rank(x), "split_dim");
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(Settings(ctx).integer("num_split"), 1));
    auto sizes = knownInts(ctx, ctx.input(1));
    if (!sizes) {
        if (ctx.onnx.opset() < 13) {
            ctx.refuse("ONNX accepts computed sizes from opset 13", {}, "take --opset 13");
        }
        OnnxValues parts = ctx.onnx.add("Split", {x, intVector(ctx, ctx.input(1))}, {{"axis", axis}}, count);
        Shape shape = ctx.shape(x);
        shape[static_cast<std::size_t>(axis)] = Dim();
        for (const OnnxValue part : parts) {
            ctx.onnx.refine(part, shape);
        }
        return parts;
    }
    const auto open = std::ranges::find(*sizes, -1);
    const bool isBad = std::ranges::any_of(*sizes, [](auto size) { return size < -1; });
    if (isBad || std::ranges::count(*sizes, -1) > 1 || sizes->size() != count) {
        ctx.invalid("the sizes of the parts are invalid");
    }
    if (open == sizes->end()) {
        return emit::split(ctx, x, axis, *sizes);
    }
    const std::int64_t known = std::accumulate(sizes->begin(), sizes->end(), std::int64_t{1}); // without the -1
    const Dim& whole = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!whole.isFixed()) {
        return aroundOpenPart(ctx, x, axis, *sizes);
    }
    *open = whole.size - known;
    return emit::split(ctx, x, axis, *sizes);
}

} // namespace

std::span<const OpRow> concatSplitOps()
{
    static constexpr OpRow rows[] = {
        {"Concat", concat, "Concat"},
        {"ConcatV2", concatV2, "Concat"},
        {"Pack", pack, "Unsqueeze, Concat"},
        {"ParallelConcat", parallelConcat, "Concat"},
        {"Split", split, "Split"},
        {"SplitV", splitBySizes, "Split"},
        {"Unpack", unpack, "Split, Squeeze"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
