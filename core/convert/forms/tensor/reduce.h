#pragma once

#include "core/convert/node_context.h"

#include <string_view>

namespace crosswalk::forms {

/// An ONNX reduction ("ReduceSum", "ReduceMax"...) over axes of x, none of them negative or twice, through a type that
/// ONNX Runtime reduces; the result has the type of x. No axes leave x unchanged, and all of them without kept
/// dimensions result in rank 0. Sums and products of integers wrap, as the arithmetic of processors does.
OnnxValue reducedAlong(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);
/// Whether any element along the axes, or each one, differs from 0, as bool. Of none, any is false and all is true.
OnnxValue anyAlong(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);
OnnxValue allAlong(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::forms
