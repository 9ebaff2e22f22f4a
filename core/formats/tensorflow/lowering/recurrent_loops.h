#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Replaces every `While` of a lowered graph whose step is that of an LSTM, a GRU or a plain RNN by a node
/// `RecurrentLayer`, which the recurrent form of core/convert/forms expresses. A step is recognised by its computation:
/// sums and products in any order, biases and forget biases folded anywhere into the sums, the weights of the input and
/// of the state in one matrix or in two. Weights must be stored.
///
/// A `RecurrentLayer` has the inputs: sequence (time, batch, features), input weights and recurrent weights in the
/// columns of TensorFlow (one or two each, "weights" many), as many biases, initial h, and of an LSTM initial c and
/// perhaps three peepholes (i, o, f). Its attributes: "kind", "gate_order", "hidden", "weights", "forget_bias",
/// "activation" of an rnn, and "results": for each output "h", "c", "sequence", "steps" (their number) or "" (unused).
void fuseRecurrentLoops(Graph& graph);

} // namespace crosswalk::tensorflow
