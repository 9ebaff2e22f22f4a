#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::tensorflow {

/// Replaces every BlockLSTM and BlockLSTMV2 of which only the output and the last cell state are used by a
/// `RecurrentLayer` (recurrent_layer_node.h): ONNX's LSTM does not return the cell states of all steps. The last states
/// are those of the last step, or those at the lengths of the samples, which LSTMBlockFusedCell gathers; it sets the
/// output past the end of a sample to zero. Weights must be stored, and the cell states must not be clipped.
void fuseBlockLstms(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
