#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// An ONNX reduction ("ReduceSum", "ReduceMax"...) over axes of x, none of them negative or twice, by way of a type
/// that ONNX Runtime reduces; the result has x's. No axes leave x as it is, and all of them without kept dimensions
/// give rank 0.
OnnxValue reducedAlong(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::forms
