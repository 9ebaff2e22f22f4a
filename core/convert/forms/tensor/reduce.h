#pragma once

#include "core/convert/node_context.h"

#include <string_view>

namespace crosswalk::forms {

/// An ONNX reduction ("ReduceSum", "ReduceMax"...) over axes of x, none of them negative or twice, through a type that
/// ONNX Runtime reduces; the result has the type of x. No axes leave x unchanged, and all of them without kept
/// dimensions result in rank 0. Sums and products of integers wrap, as the arithmetic of processors does.
OnnxValue reducedAlong(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::forms
