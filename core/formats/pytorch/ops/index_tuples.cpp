#include "core/formats/pytorch/ops/index_tuples.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::pytorch {

IndexTuples indexTuples(const NodeContext& ctx, const OnnxValues& indices)
{
    OnnxValues wide;
    for (const OnnxValue index : indices) {
        wide.push_back(emit::cast(ctx, index, ElementType::Int64));
    }
    OnnxValue sum = wide[0];
    for (std::size_t i = 1; i < wide.size(); ++i) {
        sum = ctx.emit("Add", {sum, wide[i]});
    }
    IndexTuples tuples{
        .places = {}, .shape = emit::shapeVector(ctx, sum), .rank = static_cast<std::int64_t>(ctx.rank(sum))};
    OnnxValues columns;
    for (const OnnxValue index : wide) {
        columns.push_back(emit::unsqueeze(ctx, emit::expand(ctx, index, tuples.shape), {tuples.rank}));
    }
    tuples.places = emit::concat(ctx, columns, tuples.rank);
    return tuples;
}

bool isMask(const NodeContext& ctx, OnnxValue index)
{
    return ctx.element(index) == ElementType::Bool || ctx.element(index) == ElementType::UInt8;
}

IndexedAxes indexedAxes(const NodeContext& ctx, OnnxValue x, const OnnxValues& given)
{
    IndexedAxes indexed;
    std::int64_t axis = 0;
    for (const OnnxValue index : given) {
        if (!index) {
            ++axis;
            continue;
        }
        if (isFloating(ctx.element(index))) { // an input whose type the file does not state is taken for float32
            ctx.refuse(fmt::format("an index is {}, but must be int64, int32, bool or uint8",
                                   elementTypeName(ctx.element(index))),
                       "indices", "give the type of the input with --dtype: int64 for positions, bool for a mask");
        }
        if (!isMask(ctx, index)) {
            indexed.axes.push_back(axis++);
            indexed.indices.push_back(index);
            continue;
        }
        const OnnxValue places = ctx.emit("NonZero", {emit::cast(ctx, index, ElementType::Bool)});
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(index)); ++i) {
            indexed.axes.push_back(axis++);
            indexed.indices.push_back(
                emit::gather(ctx, places, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i)), 0));
        }
    }
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    if (axis > rank) {
        ctx.invalid("there are more indices than axes", "indices");
    }
    indexed.order = indexed.axes;
    for (std::int64_t i = 0; i < rank; ++i) {
        if (std::find(indexed.axes.begin(), indexed.axes.end(), i) == indexed.axes.end()) {
            indexed.order.push_back(i);
        }
    }
    indexed.areAdjacent = indexed.axes.empty() || indexed.axes.back() - indexed.axes.front() + 1 ==
                                                      static_cast<std::int64_t>(indexed.axes.size());
    return indexed;
}

/// Adjacent indices stand at the place of the first one, others in front.
Ints IndexedAxes::resultOrder(std::int64_t rank) const
{
    const std::int64_t front = areAdjacent ? axes.front() : 0;
    const auto others = static_cast<std::int64_t>(order.size() - axes.size());
    Ints result;
    for (std::int64_t i = 0; i < front; ++i) {
        result.push_back(rank + i);
    }
    for (std::int64_t i = 0; i < rank; ++i) {
        result.push_back(i);
    }
    for (std::int64_t i = front; i < others; ++i) {
        result.push_back(rank + i);
    }
    return result;
}

OnnxValue cutTo(const NodeContext& ctx, OnnxValue x, OnnxValue index, std::int64_t whole)
{
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(index)); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool isSame = ctx.shape(x)[at].isFixed() && ctx.shape(x)[at] == ctx.shape(index)[at];
        if (i != whole && !isSame) {
            x = emit::slice(ctx, x, ctx.onnx.ints({0}), emit::dimVector(ctx, index, i), ctx.onnx.ints({i}));
        }
    }
    return x;
}

} // namespace crosswalk::pytorch
