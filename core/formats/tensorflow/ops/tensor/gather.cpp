// Gather, GatherV2, GatherNd and OneHot.

#include "core/convert/forms/tensor/gather_nd.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

/// params and indices share their first axes: GatherND's batch axes. Moves the gather axis right after them, and the
/// result's axes back to TensorFlow's order.
OnnxValue batched(const NodeContext& ctx, OnnxValue params, OnnxValue indices, std::int64_t axis, std::int64_t batch)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(params));
    const auto indexRank = static_cast<std::int64_t>(ctx.rank(indices));
    if (batch > axis || batch > indexRank) {
        ctx.invalid(fmt::format("batch_dims = {} with axis = {} and indices of {} dimensions", batch, axis, indexRank),
                    "batch_dims");
    }
    Ints order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.iteratorAt(batch), order.iteratorAt(axis), order.iteratorAt(axis + 1));
    const OnnxValue moved = emit::transpose(ctx, params, order);
    const OnnxValue places = emit::unsqueeze(ctx, asInt64(ctx, indices), {indexRank});
    const OnnxValue found = forms::gatherInBatches(ctx, moved, places, batch);
    // (batch, indices, between, behind) becomes (batch, between, indices, behind).
    const std::int64_t between = axis - batch;
    Ints back(static_cast<std::size_t>(indexRank + rank - batch - 1));
    std::iota(back.begin(), back.end(), 0);
    std::rotate(back.iteratorAt(batch), back.iteratorAt(indexRank), back.iteratorAt(indexRank + between));
    return emit::transpose(ctx, found, back);
}

/// One dimension of a computed shape is a constant if it is fixed.
OnnxValue gatheredDimension(const NodeContext& ctx, OnnxValue params, OnnxValue indices)
{
    const auto dims = ctx.onnx.integers(params);
    const auto places = knownInts(ctx, indices);
    const auto& shape = ctx.onnx.shape(indices);
    if (!dims || !places || !shape || ctx.onnx.content(params) != nullptr || ctx.rank(params) != 1) {
        return {};
    }
    Ints values;
    for (const auto place : *places) {
        if (place < 0 || place >= static_cast<std::int64_t>(dims->size()) ||
            !(*dims)[static_cast<std::size_t>(place)].isFixed()) {
            return {};
        }
        values.push_back((*dims)[static_cast<std::size_t>(place)].size);
    }
    Tensor found = Tensor::ints(values).converted(ctx.element(params));
    return ctx.onnx.constant(shape->empty() ? found.reshaped({}) : found);
}

OnnxValue gathered(const NodeContext& ctx, std::int64_t axis, std::int64_t batch)
{
    const OnnxValue params = ctx.input(0);
    const OnnxValue indices = ctx.input(1);
    if (const OnnxValue constant = gatheredDimension(ctx, params, indices)) {
        return constant;
    }
    const ElementType type = ctx.element(indices);
    const OnnxValue places = type == ElementType::Int32 || type == ElementType::Int64 ? indices : asInt64(ctx, indices);
    if (axis == 0 && batch == 0) {
        return emit::gather(ctx, params, places, 0);
    }
    const std::size_t indexRank = ctx.rank(indices);
    if (batch < 0) {
        batch += static_cast<std::int64_t>(indexRank);
    }
    axis = ctx.axis(axis, ctx.rank(params));
    return batch == 0 ? emit::gather(ctx, params, places, axis) : batched(ctx, params, indices, axis, batch);
}

OnnxValues gather(NodeContext& ctx)
{
    return {gathered(ctx, 0, 0)};
}

OnnxValues gatherV2(NodeContext& ctx)
{
    return {gathered(ctx, constantInt(ctx, 2, "the axis"), Settings(ctx).integer("batch_dims"))};
}

OnnxValues resourceGather(NodeContext& ctx)
{
    const std::int64_t batch = Settings(ctx).integer("batch_dims");
    return {gathered(ctx, batch, batch)};
}

OnnxValues gatherNd(NodeContext& ctx)
{
    const OnnxValue params = ctx.input(0);
    const OnnxValue indices = ctx.input(1);
    const OnnxValue y = ctx.emit("GatherND", {params, asInt64(ctx, indices)});
    const auto from = ctx.onnx.shape(params);
    const auto places = ctx.onnx.shape(indices);
    if (from && places && !places->empty() && places->back().isFixed() &&
        places->back().size <= static_cast<std::int64_t>(from->size())) { // ONNX infers no scalars
        Shape shape(places->begin(), places->end() - 1);
        shape.insert(shape.end(), from->begin() + places->back().size, from->end());
        ctx.onnx.refine(y, shape);
    }
    return {y};
}

/// ONNX's OneHot counts a negative index from the back; in TensorFlow it matches no position.
OnnxValues oneHot(NodeContext& ctx)
{
    const OnnxValue depth = intVector(ctx, ctx.input(1));
    if (const auto known = knownInts(ctx, depth); known && !known->empty() && known->front() < 0) {
        ctx.invalid(fmt::format("a depth of {}", known->front()));
    }
    const bool staysInt32 = ctx.element(ctx.input(0)) == ElementType::Int32 && knownInts(ctx, depth).has_value();
    const OnnxValue indices = staysInt32 ? ctx.input(0) : asInt64(ctx, ctx.input(0));
    const std::size_t rank = ctx.rank(indices);
    const std::int64_t axis = ctx.axis(Settings(ctx).integer("axis"), rank + 1);
    const OnnxValue places = emit::cast(ctx, countTo(ctx, depth), ctx.element(indices));
    Ints behind(rank - static_cast<std::size_t>(axis));
    std::iota(behind.begin(), behind.end(), 1);
    const OnnxValue isPlace =
        ctx.emit("Equal", {emit::unsqueeze(ctx, indices, {axis}), emit::unsqueeze(ctx, places, behind)});
    const OnnxValue on = ctx.input(2);
    const OnnxValue off = ctx.input(3);
    const auto number = [&](OnnxValue x) {
        const Tensor* stored = ctx.element(x) == ElementType::String ? nullptr : ctx.onnx.content(x);
        return stored != nullptr && stored->elements() == 1 ? std::optional(stored->toDoubles().front()) : std::nullopt;
    };
    if (number(on) == 1.0 && number(off) == 0.0) {
        return {emit::cast(ctx, isPlace, ctx.element(on))};
    }
    return {choose(ctx, isPlace, on, off)};
}

} // namespace

std::span<const OpRow> gatherOps()
{
    static constexpr OpRow rows[] = {
        {"Gather", gather, "Gather"},
        {"GatherNd", gatherNd, "GatherND"},
        {"GatherV2", gatherV2, "Gather, or GatherND"},
        {"OneHot", oneHot, "Equal, Where"},
        {"ResourceGather", resourceGather, "Gather, or GatherND"},
        {"ResourceGatherNd", gatherNd, "GatherND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
