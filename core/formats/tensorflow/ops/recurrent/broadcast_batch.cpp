#include "core/formats/tensorflow/ops/recurrent/broadcast_batch.h"

#include "core/convert/emit.h"

#include <array>

namespace crosswalk::tensorflow {
namespace {

bool isOne(const Dim& dim)
{
    return dim.size == 1;
}

bool isKnownSame(const Dim& a, const Dim& b)
{
    return !a.isUnknown() && a == b;
}

/// One for a state without that axis.
Dim batchOfState(const NodeContext& ctx, OnnxValue state)
{
    const Shape& shape = ctx.shape(state);
    return shape.size() < 2 ? Dim(1) : shape[shape.size() - 2];
}

/// (time, batch, features) of elements that are added to the product of a step, so that they may have fewer axes, and
/// one feature for all.
OnnxValue asProjected(const NodeContext& ctx, OnnxValue x, std::int64_t width)
{
    while (ctx.rank(x) == 1 || ctx.rank(x) == 2) {
        x = emit::unsqueeze(ctx, x, {1});
    }
    const Shape data = ctx.shape(x);
    if (data.size() != 3 || (data[2].isFixed() && !isOne(data[2])) || data[2].size == width) {
        return x;
    }
    x = emit::expand(ctx, x, ctx.onnx.ints({1, 1, width}));
    ctx.onnx.refine(x, {data[0], data[1], Dim(width)});
    return x;
}

/// Repeats x for the samples of a state where x may have fewer.
OnnxValue withBatchOfState(const NodeContext& ctx, OnnxValue x, OnnxValue state, bool isZero)
{
    const Shape data = ctx.shape(x);
    const Dim batch = batchOfState(ctx, state);
    const bool isOpen = !data[1].isFixed() && !isKnownSame(data[1], batch);
    if (isOne(batch) || !(isOne(data[1]) || (isOpen && (isZero || batch.isFixed())))) {
        return x;
    }
    const auto axis = static_cast<std::int64_t>(ctx.rank(state)) - 2;
    const OnnxValue one = ctx.onnx.ints({1});
    x = emit::expand(ctx, x, emit::concat(ctx, {one, emit::dimVector(ctx, state, axis), one}, 0));
    ctx.onnx.refine(x, {data[0], isOne(data[1]) || batch.isFixed() ? batch : Dim(), data[2]});
    return x;
}

/// (batch, width) of a state that has one row, or one column, for all.
OnnxValue withBatchOfInput(const NodeContext& ctx, OnnxValue state, OnnxValue x, std::int64_t width)
{
    const Shape given = ctx.shape(state);
    const Dim batch = ctx.shape(x)[1];
    const bool isWide = given.size() < 2 || (isOne(given[given.size() - 1]) && width != 1);
    if (given.size() > 2 || !(isWide || (isOne(given[0]) && !isOne(batch)))) {
        return state;
    }
    state = emit::expand(ctx, state, emit::concat(ctx, {emit::dimVector(ctx, x, 1), ctx.onnx.ints({width})}, 0));
    ctx.onnx.refine(state, {batch, Dim(width)});
    return state;
}

} // namespace

OnnxValue broadcastBatch(const NodeContext& ctx, forms::RecurrentLayer& layer, OnnxValue x, bool zeroH, bool zeroC)
{
    if (layer.cells.front().input.empty()) {
        x = asProjected(ctx, x, layer.gates() * layer.hidden);
    }
    if (ctx.rank(x) != 3) {
        return x; // which is refused later
    }
    struct State {
        OnnxValue& value;
        std::int64_t width;
        bool isZero;
    };
    const std::array states{State{layer.h.value, layer.outputSize(), zeroH}, State{layer.c.value, layer.hidden, zeroC}};
    for (const State& state : states) {
        if (state.value) {
            x = withBatchOfState(ctx, x, state.value, state.isZero);
        }
    }
    for (const State& state : states) {
        if (state.isZero) {
            state.value = {};
        } else if (state.value) {
            state.value = withBatchOfInput(ctx, state.value, x, state.width);
        }
    }
    return x;
}

} // namespace crosswalk::tensorflow
