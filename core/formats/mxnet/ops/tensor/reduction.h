#pragma once

#include "core/convert/node_context.h"

#include <string_view>

namespace crosswalk::mxnet {

/// The axes in attribute `name` of a reduction, in order and unique: all if it is empty, the complement with attribute
/// exclude.
Ints reductionAxes(const NodeContext& ctx, OnnxValue x, std::string_view name = "axis");

/// An ONNX reduction over these axes, through a type that it supports. Without kept dimensions a result that would be a
/// scalar has shape (1).
OnnxValue reduced(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);
/// A number of elements, int64, as a divisor in x's element type: for integers a C cast, as in MXNet.
OnnxValue countLike(const NodeContext& ctx, OnnxValue x, OnnxValue count);
/// The mean, truncated to an integer for integers.
OnnxValue meanOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims);

} // namespace crosswalk::mxnet
