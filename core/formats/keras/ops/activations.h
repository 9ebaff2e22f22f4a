#pragma once

#include "core/convert/forms/recurrent_activation.h"
#include "core/formats/keras/ops/layer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::keras {

/// A function of one tensor, element by element or along the last axis.
using ActivationFunction = OnnxValue (*)(const NodeContext& ctx, OnnxValue x);

/// The function of a name, "hard_sigmoid", as this version of Keras defines it; null for one that Keras does not have.
ActivationFunction findActivation(std::string_view name, int majorVersion);
/// x through the function that a setting names, or through the layer that it describes. Refuses functions of the user.
OnnxValue activated(const Layer& layer, OnnxValue x, const std::string& setting = "activation");
/// The function of a recurrent cell that a setting names.
RecurrentActivation recurrentActivation(const Layer& layer, const std::string& setting, const std::string& otherwise);

/// ReLU with all of its settings: x from `threshold` on, at most `limit`, below slope (x - threshold).
OnnxValue generalRelu(const NodeContext& ctx, OnnxValue x, double slope, double threshold, std::optional<double> limit);
/// x if positive, else slope x.
OnnxValue leakyRelu(const NodeContext& ctx, OnnxValue x, double slope);
/// x if positive, else alpha (exp(x) - 1).
OnnxValue eluOf(const NodeContext& ctx, OnnxValue x, double alpha);
/// One half of an axis, which is not negative, times the sigmoid of the other.
OnnxValue gluOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
OnnxValue hardShrinkOf(const NodeContext& ctx, OnnxValue x, double threshold); ///< x if |x| > threshold, else 0
OnnxValue softShrinkOf(const NodeContext& ctx, OnnxValue x, double threshold); ///< x moved towards 0 by the threshold
OnnxValue squarePlusOf(const NodeContext& ctx, OnnxValue x, double b);         ///< (x + sqrt(x^2 + b)) / 2
/// Keras' sparsemax along an axis, which is not negative: max(x - t, 0). With the values sorted down and their running
/// sums, the support are the k largest with 1 + k z > sum. Keras computes t = (s - 1) / k with the sum s of the running
/// sums of the support, where the definition (Martins and Astudillo, 2016) has the last one.
OnnxValue sparsemaxOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
/// Over several axes together; not negative.
OnnxValue softmaxOver(const NodeContext& ctx, OnnxValue x, const Ints& axes);

} // namespace crosswalk::keras
