#pragma once

#include "core/convert/forms/recurrent_layer.h"

namespace crosswalk::tensorflow {

/// The state (batch, width) behind the last step of a layer in one direction, of its result (1, batch, width) and the
/// initial state, absent for zeros. ONNX does not define the final state of a sample of length 0, and ONNX Runtime
/// returns zeros: it is the initial state. The same of all samples of `x`, if it is given and has no steps.
OnnxValue finalState(const NodeContext& ctx, const forms::RecurrentLayer& layer, OnnxValue state, OnnxValue initial,
                     OnnxValue x = {});

/// The same of states (..., batch, width) that are held past the end of a sample.
OnnxValue heldStates(const NodeContext& ctx, const forms::RecurrentLayer& layer, OnnxValue states, OnnxValue initial);

} // namespace crosswalk::tensorflow
