#pragma once

#include "core/convert/forms/recurrent_layer.h"

/// The forms of a layer: x and all outputs are (time, batch, features), lengths are int32. The mask is (time, batch, 1)
/// and comprises the lengths, but in the fused form, which reads the lengths.
namespace crosswalk::forms {

/// ONNX's own LSTM, GRU or RNN. A projection is multiplied into the recurrence; clips of states are not expressed.
RecurrentOutputs fusedLayer(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x);
/// A Scan over time, one for both directions.
RecurrentOutputs scanLayer(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x);
/// A copy of the step for each time; the length must be fixed.
RecurrentOutputs unrolledLayer(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x);

} // namespace crosswalk::forms
