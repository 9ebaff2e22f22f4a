#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Emits common ONNX operators in the form for the target opset (axes as an attribute or as an input). Results are
/// computed at conversion time if the operands are stored constants.
namespace crosswalk::emit {

OnnxValue cast(const NodeContext& ctx, OnnxValue x, ElementType type); ///< returns x if it has the type
/// 0 copies the input's dimension, one -1 takes the rest (ONNX Reshape).
OnnxValue reshape(const NodeContext& ctx, OnnxValue x, const Ints& dims);
OnnxValue reshape(const NodeContext& ctx, OnnxValue x, OnnxValue dims); ///< dims: int64 vector
OnnxValue transpose(const NodeContext& ctx, OnnxValue x, const Ints& permutation);
OnnxValue swapAxes(const NodeContext& ctx, OnnxValue x, std::int64_t a, std::int64_t b);
OnnxValue squeeze(const NodeContext& ctx, OnnxValue x, const Ints& axes);
OnnxValue unsqueeze(const NodeContext& ctx, OnnxValue x, const Ints& axes);
OnnxValue concat(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis);
OnnxValue slice(const NodeContext& ctx, OnnxValue x, const Ints& starts, const Ints& ends, const Ints& axes,
                const Ints& steps = {});
OnnxValue slice(const NodeContext& ctx, OnnxValue x, OnnxValue starts, OnnxValue ends, OnnxValue axes,
                OnnxValue steps = {});
OnnxValues split(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Ints& sizes);
/// ReduceSum, ReduceMean...; empty axes mean all axes.
OnnxValue reduce(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims);
OnnxValue expand(const NodeContext& ctx, OnnxValue x, OnnxValue dims);
OnnxValue gather(const NodeContext& ctx, OnnxValue x, OnnxValue indices, std::int64_t axis);

/// A scalar with x's element type.
OnnxValue scalarLike(const NodeContext& ctx, OnnxValue x, double value);
/// The dimensions of x as an int64 vector: a constant if all are fixed, otherwise a Shape node.
OnnxValue shapeVector(const NodeContext& ctx, OnnxValue x);
/// One dimension of x as an int64 vector of one element.
OnnxValue dimVector(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
/// Product of some dimensions of x, as an int64 vector of one element.
OnnxValue dimProduct(const NodeContext& ctx, OnnxValue x, const Ints& axes);
OnnxValue softmax(const NodeContext& ctx, OnnxValue x, std::int64_t axis, bool logarithm = false);
/// Clips to the bounds and keeps NaN. Supports every numeric type at every opset. An absent bound is nullopt.
OnnxValue clip(const NodeContext& ctx, OnnxValue x, std::optional<double> low, std::optional<double> high);

} // namespace crosswalk::emit
