#include "core/formats/tensorflow/ops/recurrent/final_state.h"

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_states.h"

namespace crosswalk::tensorflow {

OnnxValue finalState(const NodeContext& ctx, const forms::RecurrentLayer& layer, OnnxValue state, OnnxValue initial,
                     OnnxValue x)
{
    const OnnxValue last = emit::squeeze(ctx, state, {0});
    if (layer.lengths || !x || ctx.shape(x)[0].size > 0 || forms::startsAtZero(ctx, {.value = initial})) {
        return heldStates(ctx, layer, last, initial);
    }
    const OnnxValue isEmpty = ctx.emit("Equal", {emit::dimVector(ctx, x, 0), ctx.onnx.ints({0})});
    return ctx.emit("Where", {isEmpty, initial, last});
}

OnnxValue heldStates(const NodeContext& ctx, const forms::RecurrentLayer& layer, OnnxValue states, OnnxValue initial)
{
    if (!layer.lengths || forms::startsAtZero(ctx, {.value = initial})) {
        return states;
    }
    const OnnxValue isEmpty = ctx.emit("Equal", {layer.lengths, emit::scalarLike(ctx, layer.lengths, 0)});
    return ctx.emit("Where", {emit::unsqueeze(ctx, isEmpty, {1}), initial, states});
}

} // namespace crosswalk::tensorflow
