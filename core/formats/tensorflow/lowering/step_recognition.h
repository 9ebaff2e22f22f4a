#pragma once

#include "core/formats/tensorflow/lowering/step_activation.h"
#include "core/formats/tensorflow/lowering/step_clip.h"
#include "core/formats/tensorflow/lowering/step_matcher.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// The states of a recurrent layer before and after a step, (batch, hidden).
struct StepStates {
    ValueId h;
    ValueId nextH;
    ValueId c = {}; ///< lstm
    ValueId nextC = {};
};

/// The weights of a step in TensorFlow's columns, (inputs, gates * hidden). Lists are joined along the gates.
struct StepWeights {
    std::string kind;           ///< "lstm", "gru", "rnn"
    std::string gateOrder = {}; ///< as letters of the recurrent form: i, f, c, o; r, z, h
    std::int64_t hidden = 0;
    /// The values that the input weights multiply, (batch, features) each, joined along the features. Without input
    /// weights: one value that is added to the gates, in their order.
    ValueIds x = {};
    std::vector<Tensor> input = {};
    std::vector<Tensor> recurrent = {};
    std::vector<Tensor> bias = {};               ///< empty: zeros
    std::vector<Tensor> recurrentBias = {};      ///< gru with resetAfter
    std::vector<Tensor> peepholes = {};          ///< of i, o and f, (hidden); empty without
    std::vector<Tensor> projection = {};         ///< lstm: of the output, (hidden, features); empty without
    std::optional<StepClip> cellClip = {};       ///< lstm: of the new cell state
    std::optional<StepClip> projectionClip = {}; ///< of the projected output
    double forgetBias = 0;
    bool resetAfter = false; ///< gru: the reset gate multiplies the product with the recurrent weights
    /// rnn: of h; lstm: of the gates, of the candidate, of the new cell state; gru: of the gates, of the candidate.
    std::vector<StepActivation> activations = {};

    /// The width of h; 0 if that is `hidden`.
    std::int64_t projectedSize() const { return projection.empty() ? 0 : projection[0].dims()[1]; }
};

/// What distinguishes a step from a layer's equations, found as deep in them as possible.
struct StepDifference {
    int depth = 0;
    ValueId value = {};
    std::string expected = {};

    void note(int atDepth, ValueId at, std::string_view whatIsExpected);
};

/// Nothing if such a layer does not compute the new states.
std::optional<StepWeights> matchLstm(const StepMatcher& step, const StepStates& states, StepDifference& difference);
std::optional<StepWeights> matchGru(const StepMatcher& step, const StepStates& states, StepDifference& difference);
std::optional<StepWeights> matchRnn(const StepMatcher& step, const StepStates& states, StepDifference& difference);

} // namespace crosswalk::tensorflow
