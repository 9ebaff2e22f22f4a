#pragma once

#include "core/formats/tensorflow/lowering/step_recognition.h"
#include "core/formats/tensorflow/lowering/step_sums.h"

#include <optional>
#include <vector>

namespace crosswalk::tensorflow {

/// The argument of a gate's activation.
struct GateSum {
    char letter; ///< of the recurrent form
    StepSum sum;
    ValueId value;                     ///< that the sum or its activation computes, for the report
    ValueId state = {};                ///< the operand of the recurrent weights if that is not h
    std::optional<StepSum> inner = {}; ///< of the product with the recurrent weights, if that is multiplied by a gate
};

/// Sets the gate order, hidden size, input, weights and biases of a step from the sums of its gates. Returns false,
/// with the difference, if a sum is not one of stored weights, the same input and `h`.
bool assemble(const StepMatcher& step, const std::vector<GateSum>& sums, ValueId h, StepWeights& weights,
              StepDifference& difference);

} // namespace crosswalk::tensorflow
