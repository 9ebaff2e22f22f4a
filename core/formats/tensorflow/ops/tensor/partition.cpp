// DynamicPartition and DynamicStitch.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>
#include <limits>

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

/// N tensors of numbers, then N tensors with a row for each number: the rows by their numbers.
OnnxValues dynamicStitch(NodeContext& ctx)
{
    const auto count = static_cast<std::size_t>(Settings(ctx).integer("N"));
    if (count == 0 || ctx.inputCount() != 2 * count) {
        ctx.invalid(fmt::format("N = {} with {} inputs", count, ctx.inputCount()), "N");
    }
    OnnxValues numbers;
    OnnxValues rows;
    for (std::size_t i = 0; i < count; ++i) {
        const OnnxValue number = asInt64(ctx, ctx.input(i));
        const OnnxValue data = ctx.input(count + i);
        const std::size_t rank = ctx.rank(number);
        numbers.push_back(rank == 1 ? number : emit::reshape(ctx, number, Ints{-1}));
        rows.push_back(
            rank == 1
                ? data
                : emit::reshape(ctx, data, emit::concat(ctx, {ctx.onnx.ints({-1}), shapeFrom(ctx, data, rank)}, 0)));
    }
    const OnnxValue places = emit::concat(ctx, numbers, 0);
    const OnnxValue all = emit::concat(ctx, rows, 0);
    const OnnxValue size = ctx.emit("Add", {emit::reduce(ctx, "ReduceMax", places, {0}, true), ctx.onnx.ints({1})});
    const OnnxValue shape = emit::concat(ctx, {size, shapeFrom(ctx, all, 1)}, 0);
    const OnnxValue start = filledTo(ctx, ctx.element(all), 0, shape);
    return {ctx.emit("ScatterND", {start, emit::unsqueeze(ctx, places, {1}), all})};
}

constexpr OpRow rows[] = {
    {"DynamicPartition", dynamicPartition, "Equal, Compress"},
    {"DynamicStitch", dynamicStitch, "Concat, ScatterND", Support::Exact, "numbers that are there once"},
    {"ParallelDynamicStitch", dynamicStitch, "Concat, ScatterND"},
};

} // namespace

std::span<const OpRow> partitionOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
