#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::tensorflow {

/// Replaces steps of an LSTM, a GRU or a plain RNN that follow each other outside of a loop, each on the states of the
/// one before and with the same stored weights, by a `RecurrentLayer` (recurrent_layer_node.h), as static_rnn and
/// layers of Keras with `unroll` write them.
void fuseUnrolledLayers(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
