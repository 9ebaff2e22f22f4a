#pragma once

#include "core/convert/forms/recurrent_weights.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace crosswalk::forms {

/// One layer in one direction, its step written out: x (time, batch, features) is multiplied by the input weights at
/// once, the rest is computed step by step.
class RecurrentStep {
public:
    RecurrentStep(const NodeContext& ctx, const RecurrentLayer& layer, std::size_t direction, OnnxValue x);

    /// (time, batch, gates * hidden): of the input, biases added.
    OnnxValue preactivation() const { return m_preactivation; }

    struct State {
        OnnxValue h; ///< (batch, outputSize)
        OnnxValue c; ///< (batch, hidden). lstm
    };
    /// The state after a step; `input` is (batch, gates * hidden) of the preactivation. With `within` (batch, 1) the
    /// state advances where it is true and is held elsewhere.
    State advance(OnnxValue input, const State& before, OnnxValue within = {}) const;

private:
    OnnxValue inputPart(const RecurrentWeights& weights, std::size_t direction, OnnxValue x,
                        std::string_view order) const;
    void readPeepholes(const CellWeights& cell, ElementType type);
    State taken(OnnxValue input, const State& before) const;
    State lstm(OnnxValue input, const State& before) const;
    State gru(OnnxValue input, const State& before) const;
    OnnxValue candidateOfGru(OnnxValue input, OnnxValue fromState, OnnxValue reset, OnnxValue h) const;
    OnnxValue product(OnnxValue h, OnnxValue weights, OnnxValue added) const;
    OnnxValue activated(std::size_t activation, OnnxValue x) const;
    OnnxValue clippedGates(OnnxValue x) const;
    OnnxValue clippedState(OnnxValue x, const std::optional<StateClip>& clip) const;

    const NodeContext& m_ctx;
    const RecurrentLayer& m_layer;
    OnnxValue m_recurrent;     ///< (gates * hidden, outputSize); of a gru without resetAfter its r and z
    OnnxValue m_candidate;     ///< (hidden, outputSize): of a gru without resetAfter, h~
    OnnxValue m_recurrentBias; ///< (gates * hidden): of a gru with resetAfter, for the others it is in the input
    OnnxValue m_projection;    ///< (projection, hidden); absent without
    OnnxValues m_peepholes;    ///< (hidden) each: i, f, o; empty without
    OnnxValue m_preactivation;
};

/// The steps that each sample takes, (time, batch, 1), bool; absent if all samples take all of them. x is (time, batch,
/// features), and so is the layout of the layer's mask.
OnnxValue stepMask(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x);

/// Whether the outputs past the end of a sample are kept as a state apart from h. They equal h unless that starts from
/// other values than zeros, or repeat nothing.
bool tracksLastOutput(const NodeContext& ctx, const RecurrentLayer& layer);

} // namespace crosswalk::forms
