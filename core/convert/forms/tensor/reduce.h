#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// An ONNX reduction ("ReduceSum", "ReduceMax"...) over axes of x, none of them negative or twice, through a type that
/// ONNX Runtime reduces; the result has the type of x. No axes leave x unchanged, and all of them without kept
/// dimensions result in rank 0.
OnnxValue reducedAlong(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);

/// ReduceSum and ReduceProd whose integers wrap, as the arithmetic of processors does: ONNX Runtime's saturate. x is
/// taken as it is where its elements are dimensions.
OnnxValue wrappingSum(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);
OnnxValue wrappingProduct(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::forms
