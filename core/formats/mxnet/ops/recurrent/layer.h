#pragma once

#include "core/formats/mxnet/ops/recurrent/initial_state.h"
#include "core/formats/mxnet/ops/recurrent/packed_parameters.h"

namespace crosswalk::mxnet {

/// An RNN node on its way into ONNX: what all forms of its layers read.
struct RecurrentNode {
    const NodeContext& ctx;
    const RecurrentSettings& settings;
    PackedParameters parameters;
    InitialState h;
    std::optional<InitialState> c; ///< lstm
    OnnxValue lengths = {};        ///< (batch), int32; absent where all samples are whole
    OnnxValue mask = {};           ///< (time, batch, 1), bool: the step is within its sample. Made by lengthMask
};

/// What a layer gives, both directions together.
struct RecurrentLayer {
    OnnxValue output; ///< (time, batch, directions * outputSize)
    OnnxValue h;      ///< (directions, batch, outputSize)
    OnnxValue c;      ///< (directions, batch, hidden); lstm
};

/// ONNX's own LSTM, GRU or RNN. A projection is multiplied into the recurrence; a clip is not expressed.
RecurrentLayer fusedLayer(RecurrentNode& node, std::int64_t layer, OnnxValue x);
/// A Scan over time, one for both directions.
RecurrentLayer scanLayer(RecurrentNode& node, std::int64_t layer, OnnxValue x);
/// A copy of the step for each time; the length must be fixed.
RecurrentLayer unrolledLayer(RecurrentNode& node, std::int64_t layer, OnnxValue x);

} // namespace crosswalk::mxnet
