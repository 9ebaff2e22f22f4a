#include "core/convert/forms/tensor/insert_delete.h"

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::forms {

OnnxValue deletedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, Ints indices)
{
    std::sort(indices.begin(), indices.end());
    Ints kept;
    for (std::int64_t i = 0; i < ctx.fixedDim(x, axis); ++i) {
        if (!std::binary_search(indices.begin(), indices.end(), i)) {
            kept.push_back(i);
        }
    }
    return emit::gather(ctx, x, ctx.onnx.ints(kept), axis);
}

OnnxValue deletedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue indices)
{
    const OnnxValue rows = emit::unsqueeze(ctx, countUp(ctx, x, axis), {1});
    const OnnxValue isNamed = ctx.emit("Equal", {rows, indices});
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isNamed, ElementType::Int32), {1}, false);
    const OnnxValue isKept = ctx.emit("Not", {emit::cast(ctx, count, ElementType::Bool)});
    return ctx.emit("Compress", {x, isKept}, {{"axis", axis}});
}

OnnxValue insertedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue values, const Ints& indices)
{
    const std::int64_t size = ctx.fixedDim(x, axis);
    Ints order(indices.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        return indices[static_cast<std::size_t>(a)] < indices[static_cast<std::size_t>(b)];
    });
    Ints from;
    auto next = order.begin();
    for (std::int64_t i = 0; i <= size; ++i) {
        for (; next != order.end() && indices[static_cast<std::size_t>(*next)] <= i; ++next) {
            from.push_back(size + *next);
        }
        if (i < size) {
            from.push_back(i);
        }
    }
    return emit::gather(ctx, emit::concat(ctx, {x, values}, axis), ctx.onnx.ints(from), axis);
}

// The k-th smallest index comes to stand k further on.
OnnxValue insertedAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue values, OnnxValue indices)
{
    const auto whole = [&](OnnxValue truth) { return emit::cast(ctx, truth, ElementType::Int64); };
    const auto sum = [&](OnnxValue table) { return emit::reduce(ctx, "ReduceSum", table, {1}, false); };
    const OnnxValue turn = countUp(ctx, indices, 0);
    const OnnxValue row = emit::unsqueeze(ctx, indices, {1});
    const OnnxValue isEarlier =
        ctx.emit("Or", {ctx.emit("Less", {indices, row}),
                        ctx.emit("And", {ctx.emit("Equal", {indices, row}),
                                         ctx.emit("Less", {turn, emit::unsqueeze(ctx, turn, {1})})})});
    const OnnxValue position = ctx.emit("Add", {indices, sum(whole(isEarlier))});
    const OnnxValue both = emit::concat(ctx, {x, values}, axis);
    const OnnxValue slots = countUp(ctx, both, axis);
    const OnnxValue isHere = whole(ctx.emit("Equal", {emit::unsqueeze(ctx, slots, {1}), position}));
    const OnnxValue isNew = sum(isHere);
    const OnnxValue which = sum(ctx.emit("Mul", {isHere, turn}));
    const OnnxValue before = ctx.emit("CumSum", {isNew, ctx.onnx.scalar(ElementType::Int64, 0)});
    const OnnxValue size = emit::dimVector(ctx, x, axis);
    const OnnxValue from = ctx.emit("Where", {emit::cast(ctx, isNew, ElementType::Bool), ctx.emit("Add", {which, size}),
                                              ctx.emit("Sub", {slots, before})});
    return emit::gather(ctx, both, from, axis);
}

} // namespace crosswalk::forms
