#pragma once

#include "core/convert/node_context.h"

#include <optional>
#include <string_view>

namespace crosswalk::forms {

/// An activation function of a recurrent cell. Either one that ONNX's LSTM, GRU and RNN list, with its parameters, or a
/// function that emits it; ONNX's recurrent operators cannot take the latter.
struct RecurrentActivation {
    /// Relu, Tanh, Sigmoid, Affine (alpha x + beta), LeakyRelu, ThresholdedRelu, ScaledTanh (alpha tanh(beta x)),
    /// HardSigmoid, Elu, Softsign or Softplus; empty if `custom` emits it.
    std::string_view name;
    std::optional<float> alpha = {}; ///< required if the function has it, because runtimes disagree about defaults
    std::optional<float> beta = {};
    OnnxValue (*custom)(const NodeContext& ctx, OnnxValue x) = nullptr;

    bool isOnnx() const { return custom == nullptr; }
    OnnxValue apply(const NodeContext& ctx, OnnxValue x) const;

    friend bool operator==(const RecurrentActivation&, const RecurrentActivation&) = default;
};

inline constexpr RecurrentActivation sigmoidActivation{.name = "Sigmoid"};
inline constexpr RecurrentActivation tanhActivation{.name = "Tanh"};
inline constexpr RecurrentActivation reluActivation{.name = "Relu"};
inline constexpr RecurrentActivation linearActivation{.name = "Affine", .alpha = 1.0F, .beta = 0.0F};

} // namespace crosswalk::forms
