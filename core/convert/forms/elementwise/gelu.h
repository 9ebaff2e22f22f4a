#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// The Gaussian error linear unit x (1 + erf(x / sqrt(2))) / 2; if `isApproximate`,
/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. x is floating, and the result has its type. The operator Gelu
/// from opset 20 on; half precision is rounded once.
OnnxValue gelu(const NodeContext& ctx, OnnxValue x, bool isApproximate = false);

} // namespace crosswalk::forms
