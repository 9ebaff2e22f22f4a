#pragma once

#include "core/convert/emit.h"

namespace crosswalk::pytorch {

/// The largest or smallest element, by "ReduceMax" or "ReduceMin". ONNX Runtime's reductions may skip a missing number,
/// but here it wins.
OnnxValue extremeAlong(const NodeContext& ctx, const char* op, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::pytorch
