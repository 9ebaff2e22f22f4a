#pragma once

#include "core/formats/tensorflow/lowering/step_recognition.h"
#include "core/graph/graph_rewriter.h"

#include <string>

namespace crosswalk::tensorflow {

/// A recurrent layer of one direction, as lowering writes it: a node `RecurrentLayer`, whose outputs are the sequence
/// of h, (time, batch, hidden), the last h, (batch, hidden), and of an LSTM the last c.
///
/// Its inputs are the members below in their order, weights and biases one by one, with empty ones for what is absent.
/// Its attributes: "kind", "gate_order", "hidden", "activations", and unless 0 or false "forget_bias", "reset_after",
/// "repeats_last", "zero_h", "zero_c", "projected_size", "cell_clip" and "projection_clip" (low, high), the "alphas"
/// and "betas" of the activations, and the numbers of values "input_weights", "recurrent_weights", "biases",
/// "recurrent_biases", "peepholes" and "projections".
struct RecurrentLayerNode {
    StepWeights weights; ///< without StepWeights::x
    ValueId sequence;    ///< (time, batch, features); elements without input weights may have fewer axes
    /// (batch), or one for all samples, of any integers: those below 0 mean 0, those above the number of steps all
    /// steps.
    ValueId lengths = {};
    /// At the start, (batch, hidden) or what broadcasts to it.
    struct State {
        ValueId value = {};
        bool isZero = false;
    };
    State h = {};
    State c = {};             ///< lstm
    bool repeatsLast = false; ///< past the end of a sample the output is the last one instead of zero
};

/// Adds the node and returns its outputs.
ValueIds addRecurrentLayer(GraphRewriter& graph, const RecurrentLayerNode& layer, const std::string& name);

} // namespace crosswalk::tensorflow
