// Elements in the opposite order.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <limits>

namespace crosswalk::tensorflow {
namespace {

OnnxValue reversed(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    if (axes.empty()) {
        return x;
    }
    return emit::slice(ctx, x, Ints(axes.size(), -1), Ints(axes.size(), std::numeric_limits<std::int64_t>::min() + 1),
                       axes, Ints(axes.size(), -1));
}

/// An operand with a bool for each axis.
OnnxValues reverse(NodeContext& ctx)
{
    const Ints marks = constantInts(ctx, 1, "the flags of the axes");
    Ints axes;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i] != 0) {
            axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    return {reversed(ctx, ctx.input(0), axes)};
}

OnnxValues reverseV2(NodeContext& ctx)
{
    Ints axes = constantInts(ctx, 1, "the axes");
    for (auto& axis : axes) {
        axis = ctx.axis(axis, ctx.rank(ctx.input(0)));
    }
    return {reversed(ctx, ctx.input(0), axes)};
}

/// ONNX requires batch and time on the first two axes.
OnnxValues reverseSequence(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const std::int64_t time = ctx.axis(settings.integer("seq_dim"), rank, "seq_dim");
    const std::int64_t batch = ctx.axis(settings.integer("batch_dim"), rank, "batch_dim");
    if (time == batch) {
        ctx.invalid("seq_dim and batch_dim are equal", "seq_dim");
    }
    const OnnxValue lengths = asInt64(ctx, ctx.input(1));
    if (time < 2 && batch < 2) {
        return {ctx.emit("ReverseSequence", {x, lengths}, {{"batch_axis", batch}, {"time_axis", time}})};
    }
    Ints order{batch, time};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
        if (i != batch && i != time) {
            order.push_back(i);
        }
    }
    Ints back(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    const OnnxValue y =
        ctx.emit("ReverseSequence", {emit::transpose(ctx, x, order), lengths}, {{"batch_axis", 0}, {"time_axis", 1}});
    return {emit::transpose(ctx, y, back)};
}

} // namespace

std::span<const OpRow> reverseOps()
{
    static constexpr OpRow rows[] = {
        {"Reverse", reverse, "Slice"},
        {"ReverseSequence", reverseSequence, "ReverseSequence"},
        {"ReverseV2", reverseV2, "Slice"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
