#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Attribute of a node whose mask is replaced by the lengths that it was computed from.
inline constexpr std::string_view maskIsLengths = "mask_is_lengths";

/// Replaces the masks (time, batch) of RETURNN's native recurrent operators by sequence lengths, where the mask is
/// transpose(range < lengths), as tf.sequence_mask computes it: ONNX's LSTM takes lengths.
void replaceSequenceMasks(Graph& graph);

} // namespace crosswalk::tensorflow
