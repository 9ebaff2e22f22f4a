#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// The axes that attribute `name` of a reduction comes to, in order, none twice: all where it names none, the others
/// with attribute exclude.
Ints reductionAxes(const NodeContext& ctx, OnnxValue x, std::string_view name = "axis");

/// An ONNX reduction over these axes, by way of a type that it has. Without kept dimensions a result that would be a
/// scalar has shape (1).
OnnxValue reduced(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);
/// A number of elements, int64, as a divisor in x's element type: of integers as C casts it, which MXNet does.
OnnxValue countLike(const NodeContext& ctx, OnnxValue x, OnnxValue count);
/// The mean, which of integers is an integer, cut off.
OnnxValue meanOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::mxnet
