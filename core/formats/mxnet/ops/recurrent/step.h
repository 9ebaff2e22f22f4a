#pragma once

#include "core/formats/mxnet/ops/recurrent/layer.h"

namespace crosswalk::mxnet {

/// One layer in one direction, its step spelled out: x (time, batch, features) goes through the input weights at once,
/// the rest is done step by step.
struct CellStep {
    const NodeContext& ctx;
    const RecurrentSettings& settings;
    OnnxValue recurrent = {};     ///< (gates * hidden, outputSize)
    OnnxValue recurrentBias = {}; ///< (gates * hidden); gru, for the others it is in the input
    OnnxValue projection = {};    ///< (projection, hidden); absent without
    OnnxValue preactivation = {}; ///< (time, batch, gates * hidden): of the input, biases added

    static CellStep of(RecurrentNode& node, std::int64_t layer, std::int64_t direction, OnnxValue x);

    struct State {
        OnnxValue h; ///< (batch, outputSize)
        OnnxValue c; ///< (batch, hidden); lstm
    };
    /// The state after a step; `input` is (batch, gates * hidden) of the preactivation.
    State advance(OnnxValue input, const State& before) const;
    /// The same where `within` (batch, 1) is true, and `before` where the sample has ended.
    State advance(OnnxValue input, const State& before, OnnxValue within) const;

private:
    State lstm(OnnxValue input, const State& before) const;
    State gru(OnnxValue input, const State& before) const;
    OnnxValue clipped(OnnxValue c) const;
};

/// The mask of the node's lengths, made once; absent where it has none.
OnnxValue lengthMask(RecurrentNode& node, OnnxValue data);

} // namespace crosswalk::mxnet
