#pragma once

#include "core/formats/keras/model_config.h"

namespace crosswalk::keras {

/// A TensorFlowOpLayer of tf.keras 2.1 to 2.3 as a call of the function of TensorFlow that computes the same, as later
/// versions write it. Its setting node_def is the NodeDef of an operator as JSON, and constants has the inputs of the
/// operator that are not tensors of the model, by their index. A layer whose operator has no such function stays.
void translateOpLayer(LayerConfig& layer);

} // namespace crosswalk::keras
