#include "core/formats/pytorch/ops/index_tuples.h"

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
