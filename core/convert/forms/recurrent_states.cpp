#include "core/convert/forms/recurrent_states.h"

#include "core/convert/emit.h"
#include "core/convert/forms/uniform_value.h"

namespace crosswalk::forms {
namespace {

OnnxValue storedRows(const NodeContext& ctx, const Tensor& stored, std::int64_t first, std::int64_t count)
{
    Ints dims = stored.dims();
    const std::int64_t size = dims[1] * dims[2];
    dims[0] = count;
    return ctx.onnx.constant(stored.range(first * size, dims));
}

/// (rows, batch, width), in x's type.
OnnxValue rowsOfState(const NodeContext& ctx, const StackedState& state, OnnxValue x)
{
    const OnnxValue value = emit::cast(ctx, state.value, ctx.element(x));
    return ctx.rank(value) == 2 ? emit::unsqueeze(ctx, value, {0}) : value;
}

} // namespace

bool startsAtZero(const NodeContext& ctx, const StackedState& state)
{
    if (!state.value) {
        return true;
    }
    const Tensor* stored = ctx.onnx.content(state.value);
    return stored != nullptr && uniformValue(*stored) == 0.0;
}

OnnxValue stateOfLayer(const NodeContext& ctx, const RecurrentLayer& layer, const StackedState& state, OnnxValue x)
{
    if (startsAtZero(ctx, state)) {
        return {};
    }
    const OnnxValue value = rowsOfState(ctx, state, x);
    const std::int64_t rows = ctx.fixedDim(value, 0);
    const std::int64_t directions = layer.directions();
    if (rows == directions) {
        return value;
    }
    if (const Tensor* stored = ctx.onnx.content(value)) {
        return storedRows(ctx, *stored, state.first, directions);
    }
    // The same Split for every layer: the builder emits it once.
    const OnnxValues layers = emit::split(ctx, value, 0, Ints(static_cast<std::size_t>(rows / directions), directions));
    return layers.at(static_cast<std::size_t>(state.first / directions));
}

OnnxValue stateOfCell(const NodeContext& ctx, const StackedState& state, std::int64_t direction, std::int64_t width,
                      OnnxValue x)
{
    if (startsAtZero(ctx, state)) {
        return zeroState(ctx, width, x);
    }
    if (ctx.rank(state.value) == 2) {
        return emit::cast(ctx, state.value, ctx.element(x));
    }
    const OnnxValue value = rowsOfState(ctx, state, x);
    const std::int64_t row = state.first + direction;
    if (const Tensor* stored = ctx.onnx.content(value)) {
        return emit::squeeze(ctx, storedRows(ctx, *stored, row, 1), {0});
    }
    if (ctx.fixedDim(value, 0) == 1) {
        return emit::squeeze(ctx, value, {0});
    }
    return emit::gather(ctx, value, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(row)), 0);
}

OnnxValue zeroState(const NodeContext& ctx, std::int64_t width, OnnxValue x)
{
    const Dim batch = ctx.shape(x)[1];
    const ElementType type = ctx.element(x);
    if (batch.isFixed()) {
        return ctx.onnx.constant(Tensor::filled(type, {batch.size, width}, 0));
    }
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, x, 1), ctx.onnx.ints({width})}, 0);
    const OnnxValue zeros = emit::expand(ctx, ctx.onnx.scalar(type, 0), dims);
    ctx.onnx.refine(zeros, {batch, Dim(width)});
    return zeros;
}

} // namespace crosswalk::forms
