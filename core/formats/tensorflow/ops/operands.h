#pragma once

#include "core/convert/emit.h"

/// Operands of TensorFlow's operators that are attributes in ONNX, or vectors of int64: shapes, axes, paddings.
namespace crosswalk::tensorflow {

/// The elements of an integer tensor of rank 0 or 1 that is known at conversion: stored, or a computed shape whose
/// dimensions are fixed.
std::optional<Ints> knownInts(const NodeContext& ctx, OnnxValue x);
/// The elements of input i; refuses a computed one. `what` names the operand: "axis".
Ints constantInts(const NodeContext& ctx, std::size_t i, std::string_view what);
std::int64_t constantInt(const NodeContext& ctx, std::size_t i, std::string_view what);
/// All elements of input i as doubles; refuses a computed one.
std::vector<double> constantNumbers(const NodeContext& ctx, std::size_t i, std::string_view what);

OnnxValue asInt64(const NodeContext& ctx, OnnxValue x);
/// An integer tensor of rank 0 or 1 as an int64 vector.
OnnxValue intVector(const NodeContext& ctx, OnnxValue x);
/// An int64 vector of one element as a scalar.
OnnxValue scalarOf(const NodeContext& ctx, OnnxValue vector);
/// 0, 1, ... up to a number, an int64 vector of one element: an int64 vector.
OnnxValue countTo(const NodeContext& ctx, OnnxValue count);

/// cond ? a : b, of every type; a and b have one.
OnnxValue choose(const NodeContext& ctx, OnnxValue condition, OnnxValue a, OnnxValue b);
/// A tensor of one value in dimensions given as an int64 vector.
OnnxValue filledTo(const NodeContext& ctx, ElementType type, double value, OnnxValue dims);

} // namespace crosswalk::tensorflow
