// DynamicPartition and DynamicStitch.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace crosswalk::tensorflow {
namespace {

/// The shape of x from an axis on, an int64 vector.
OnnxValue shapeFrom(const NodeContext& ctx, OnnxValue x, std::size_t axis)
{
    return emit::slice(ctx, emit::shapeVector(ctx, x), Ints{static_cast<std::int64_t>(axis)},
                       Ints{std::numeric_limits<std::int64_t>::max()}, Ints{0});
}

/// The rows whose number is i, for each i.
OnnxValues dynamicPartition(NodeContext& ctx)
{
    OnnxValue rows = ctx.input(0);
    OnnxValue numbers = ctx.input(1);
    const std::size_t rank = ctx.rank(numbers);
    if (rank != 1) {
        rows = emit::reshape(ctx, rows, emit::concat(ctx, {ctx.onnx.ints({-1}), shapeFrom(ctx, rows, rank)}, 0));
        numbers = emit::reshape(ctx, numbers, Ints{-1});
    }
    const std::int64_t count = Settings(ctx).integer("num_partitions");
    constexpr std::int64_t limit = 65536;
    if (count < 1 || count > limit) {
        ctx.invalid(fmt::format("num_partitions = {}", count), "num_partitions");
    }
    OnnxValues parts;
    for (std::int64_t i = 0; i < count; ++i) {
        const OnnxValue isPart =
            arithmetic::equal(ctx, numbers, emit::scalarLike(ctx, numbers, static_cast<double>(i)));
        parts.push_back(ctx.emit("Compress", {rows, isPart}, {{"axis", 0}}));
    }
    return parts;
}

/// Rows and the indices that they go to in the result.
struct Stitch {
    OnnxValue indices; ///< (n), int64
    OnnxValue rows;    ///< (n, ...)
};

/// The last row of each index, if the indices are known.
Stitch withoutRepeats(const NodeContext& ctx, const Stitch& all, const Ints& indices)
{
    std::map<std::int64_t, std::int64_t> last;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        last[indices[i]] = static_cast<std::int64_t>(i);
    }
    if (last.size() == indices.size()) {
        return all;
    }
    Ints kept;
    Ints positions;
    for (const auto& [index, position] : last) {
        kept.push_back(index);
        positions.push_back(position);
    }
    return {ctx.onnx.ints(kept), emit::gather(ctx, all.rows, ctx.onnx.ints(positions), 0)};
}

/// The last row of each index. ONNX does not define which of several updates of an element ScatterND keeps, so only one
/// may remain. In the descending order of index * n + position a row is the last of its index if the preceding index
/// differs.
Stitch withoutRepeats(const NodeContext& ctx, const Stitch& all)
{
    if (const auto known = knownInts(ctx, all.indices)) {
        return withoutRepeats(ctx, all, *known);
    }
    const OnnxValue count = emit::dimVector(ctx, all.indices, 0);
    const OnnxValue keys = ctx.emit("Add", {ctx.emit("Mul", {all.indices, count}), countTo(ctx, count)});
    const OnnxValue sorted = ctx.onnx.add("TopK", {keys, count}, {{"axis", 0}}, 2).front();
    const OnnxValue divisor =
        arithmetic::maximum(ctx, count, ctx.onnx.ints({1})); // avoids a division by zero without rows
    const OnnxValue indices = ctx.emit("Div", {sorted, divisor});
    const OnnxValue positions = ctx.emit("Sub", {sorted, ctx.emit("Mul", {indices, count})});
    const OnnxValue before =
        emit::concat(ctx, {ctx.onnx.ints({-1}), emit::slice(ctx, indices, Ints{0}, Ints{-1}, Ints{0})}, 0);
    const OnnxValue isLast = ctx.emit("Not", {ctx.emit("Equal", {indices, before})});
    const auto kept = [&](OnnxValue x) { return ctx.emit("Compress", {x, isLast}, {{"axis", 0}}); };
    return {kept(indices), emit::gather(ctx, all.rows, kept(positions), 0)};
}

/// The indices and rows of the node, which it has in lists: N tensors of indices, then N tensors with a row for each.
Stitch stitchOf(const NodeContext& ctx)
{
    const auto count = static_cast<std::size_t>(Settings(ctx).integer("N"));
    if (count == 0 || ctx.inputCount() != 2 * count) {
        ctx.invalid(fmt::format("N = {} with {} inputs", count, ctx.inputCount()), "N");
    }
    OnnxValues indices;
    OnnxValues rows;
    for (std::size_t i = 0; i < count; ++i) {
        const OnnxValue index = asInt64(ctx, ctx.input(i));
        const OnnxValue data = ctx.input(count + i);
        const std::size_t rank = ctx.rank(index);
        indices.push_back(rank == 1 ? index : emit::reshape(ctx, index, Ints{-1}));
        rows.push_back(
            rank == 1
                ? data
                : emit::reshape(ctx, data, emit::concat(ctx, {ctx.onnx.ints({-1}), shapeFrom(ctx, data, rank)}, 0)));
    }
    return {emit::concat(ctx, indices, 0), emit::concat(ctx, rows, 0)};
}

/// The number of rows of the result: the largest index and one, or none at all.
OnnxValue stitchedSize(const NodeContext& ctx, OnnxValue indices)
{
    if (const auto known = knownInts(ctx, indices)) {
        const auto [low, high] = std::ranges::minmax_element(*known);
        constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
        if (!known->empty() && (*low < 0 || *high >= limit)) {
            ctx.invalid(fmt::format("index {} is out of range", *low < 0 ? *low : *high));
        }
        return ctx.onnx.ints({known->empty() ? 0 : *high + 1});
    }
    const OnnxValue largest =
        emit::reduce(ctx, "ReduceMax", emit::concat(ctx, {indices, ctx.onnx.ints({-1})}, 0), {0}, true);
    return ctx.emit("Add", {largest, ctx.onnx.ints({1})});
}

/// Rows without an index are undefined in TensorFlow, and zero here.
OnnxValue stitched(const NodeContext& ctx, const Stitch& parts)
{
    const OnnxValue shape = emit::concat(ctx, {stitchedSize(ctx, parts.indices), shapeFrom(ctx, parts.rows, 1)}, 0);
    const OnnxValue start = filledTo(ctx, ctx.element(parts.rows), 0, shape);
    return ctx.emit("ScatterND", {start, emit::unsqueeze(ctx, parts.indices, {1}), parts.rows});
}

OnnxValues dynamicStitch(NodeContext& ctx)
{
    return {stitched(ctx, withoutRepeats(ctx, stitchOf(ctx)))};
}

/// TensorFlow does not define which of the rows with one index remains, nor does ONNX.
OnnxValues parallelDynamicStitch(NodeContext& ctx)
{
    return {stitched(ctx, stitchOf(ctx))};
}

} // namespace

std::span<const OpRow> partitionOps()
{
    static constexpr OpRow rows[] = {
        {"DynamicPartition", dynamicPartition, "Equal, Compress"},
        {"DynamicStitch", dynamicStitch, "TopK, Compress, ScatterND", "constant indices: ScatterND alone"},
        {"ParallelDynamicStitch", parallelDynamicStitch, "Concat, ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
