#include "core/formats/tensorflow/ops/recurrent/final_state.h"

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_states.h"

namespace crosswalk::tensorflow {

OnnxValue finalState(const NodeContext& ctx, const forms::RecurrentLayer& layer, OnnxValue state, OnnxValue initial)
{
    return heldStates(ctx, layer, emit::squeeze(ctx, state, {0}), initial);
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
