#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Gives the role Parameter to the values of the model's graph that hold its weights, as Keras's count_params() counts
/// them: variables that have a value, and in a frozen graph the constants that were variables. A constant does not
/// tell what it was. It counts as a weight where it is floating-point (or 8-bit, in a quantized model) and has a
/// dimension: shapes, axes and paddings are 32-bit or 64-bit integers, rates and epsilons are scalars. What no output
/// needs (states of an optimizer, initial values) is no weight.
void markWeights(Graph& graph);

} // namespace crosswalk::tensorflow
