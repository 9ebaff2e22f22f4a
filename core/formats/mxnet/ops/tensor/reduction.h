#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// The axes that attribute `name` of a reduction comes to, in order, none twice: all where it names none, the others
/// with attribute exclude.
Ints reductionAxes(const NodeContext& ctx, OnnxValue x, std::string_view name = "axis");

/// An ONNX reduction over these axes, by way of a type that it has. Without kept dimensions a result that would be a
/// scalar has shape (1).
OnnxValue reduced(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);
/// The same by numpy's rules: no axes leave x as it is, and a scalar has rank 0.
OnnxValue reducedByNumpy(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);
/// The mean, which of integers is an integer, cut off.
OnnxValue meanOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::mxnet
