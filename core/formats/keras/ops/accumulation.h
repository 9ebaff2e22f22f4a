#pragma once

#include "core/formats/keras/ops/layer.h"

namespace crosswalk::keras {

/// The operand of a sum or a product in the type of the result: the one that the operation names, or else 32 bits for
/// small integers and booleans, as in Keras 3.
OnnxValue inSumType(const Layer& layer, OnnxValue x);
/// The operand of a running sum or product in the type of the result: the one that the operation names, or else its
/// own, int32 for booleans.
OnnxValue inRunningSumType(const Layer& layer, OnnxValue x);

} // namespace crosswalk::keras
