#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Sets the role Parameter on the weights of the model's graph, as Keras's count_params() counts them: variables that
/// have a value, and in a frozen graph the constants that were variables. A constant has no record of its origin. It
/// counts as a weight if it is floating-point (or 8-bit, in a quantized model) and has a dimension: shapes, axes and
/// paddings are 32-bit or 64-bit integers, rates and epsilons are scalars. Values that no output needs (states of an
/// optimizer, initial values) are not weights.
void markWeights(Graph& graph);

} // namespace crosswalk::tensorflow
