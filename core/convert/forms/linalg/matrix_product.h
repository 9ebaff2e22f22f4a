#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// x with its last two axes exchanged.
OnnxValue transposedMatrices(const NodeContext& ctx, OnnxValue x);
/// alpha op(a) op(b) over the last two axes, where op transposes on demand.
OnnxValue matrixProduct(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool transposeA, bool transposeB,
                        double alpha = 1);

} // namespace crosswalk::forms
