#pragma once

#include "core/formats/tensorflow/lowering/step_matcher.h"

#include <optional>
#include <string>

namespace crosswalk::tensorflow {

/// An activation of ONNX's recurrent operators (recurrent_activation.h), with its parameters.
struct StepActivation {
    std::string name; ///< empty: none
    double alpha = 0; ///< of HardSigmoid, Elu and LeakyRelu
    double beta = 0;  ///< of HardSigmoid
    friend bool operator==(const StepActivation&, const StepActivation&) = default;
};

struct Activated {
    StepActivation activation;
    ValueId argument;
};

/// The activation that computes a value; nothing for other values.
std::optional<Activated> activationOf(const StepMatcher& step, ValueId value);

} // namespace crosswalk::tensorflow
