#pragma once

#include "core/formats/tensorflow/lowering/step_matcher.h"

namespace crosswalk::tensorflow {

/// The operands of a step of a recurrent layer.
struct StepInputs {
    ValueId x; ///< the element of the sequence, (batch, features)
    ValueId h; ///< (batch, hidden)
    ValueId c; ///< (batch, hidden); lstm
};

/// The weights of a step in TensorFlow's columns, (inputs, gates * hidden). Lists are joined along the gates.
struct StepWeights {
    std::string kind;           ///< "lstm", "gru", "rnn"
    std::string gateOrder = {}; ///< as letters of the recurrent form: i, f, c, o; r, z, h
    std::int64_t hidden = 0;
    std::vector<Tensor> input = {};
    std::vector<Tensor> recurrent = {};
    std::vector<Tensor> bias = {};
    std::vector<Tensor> peepholes = {}; ///< of i, o and f, (hidden); empty without
    double forgetBias = 0;
    std::string activation = {}; ///< of an rnn: "Tanh", "Relu", "Sigmoid"
};

/// Nothing if such a layer does not compute h' (and c') from the inputs.
std::optional<StepWeights> matchLstm(const StepMatcher& step, const StepInputs& inputs, ValueId nextH, ValueId nextC);
std::optional<StepWeights> matchGru(const StepMatcher& step, const StepInputs& inputs, ValueId nextH);
std::optional<StepWeights> matchRnn(const StepMatcher& step, const StepInputs& inputs, ValueId nextH);

} // namespace crosswalk::tensorflow
