#include "core/formats/tensorflow/ops/recurrent/final_state.h"

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_states.h"

namespace crosswalk::tensorflow {

OnnxValue finalState(const NodeContext& ctx, const forms::RecurrentLayer& layer, OnnxValue state, OnnxValue initial)
{
    const OnnxValue last = emit::squeeze(ctx, state, {0});
    if (!layer.lengths || forms::startsAtZero(ctx, {.value = initial})) {
        return last;
    }
    const OnnxValue isEmpty = ctx.emit("Equal", {layer.lengths, emit::scalarLike(ctx, layer.lengths, 0)});
    return ctx.emit("Where", {emit::unsqueeze(ctx, isEmpty, {1}), initial, last});
}

} // namespace crosswalk::tensorflow
