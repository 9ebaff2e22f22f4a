#pragma once

#include "core/convert/forms/recurrent_layer.h"

namespace crosswalk::tensorflow {

/// TensorFlow's steps broadcast their input x W, or x, and their states to each other: one sample may stand for all.
/// ONNX's operators take none of these. Makes x (time, batch, features) and the states (batch, width) of one batch, as
/// far as the sizes are known to differ: open ones are taken as the same. Of states of zeros, which it removes from
/// the layer, only the batch matters.
OnnxValue broadcastBatch(const NodeContext& ctx, forms::RecurrentLayer& layer, OnnxValue x, bool zeroH, bool zeroC);

} // namespace crosswalk::tensorflow
