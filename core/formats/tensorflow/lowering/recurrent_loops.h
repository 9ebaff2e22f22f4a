#pragma once

#include "core/graph/graph_rewriter.h"

#include <string_view>

namespace crosswalk::tensorflow {

/// Attribute of a `While` that has the weights of a recurrent layer but stays a loop: what differs from one, as text.
inline constexpr std::string_view stepDifference = "step_difference";

/// Replaces every `While` of a lowered graph whose step is that of LSTMs, GRUs or plain RNNs, alone or one after the
/// other, by nodes `RecurrentLayer` (recurrent_layer_node.h). A step is recognised by its computation: sums and
/// products in any order, biases and forget biases folded anywhere into the sums, the weights of the input and of the
/// state in one matrix or in several, states that are held and outputs that are zero past the end of a sample. What is
/// computed from the input alone, before or after the cell, is computed for all steps at once. Weights must be stored.
void fuseRecurrentLoops(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
