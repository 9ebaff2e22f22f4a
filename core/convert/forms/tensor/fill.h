#pragma once

#include "core/convert/node_context.h"

#include <cstdint>

namespace crosswalk::forms {

/// The maximum number of elements of a tensor that a form creates.
inline constexpr std::int64_t elementLimit = (std::int64_t{1} << 31) - 1;

/// 0, 1, ... count - 1 as an int64 vector.
OnnxValue countTo(const NodeContext& ctx, std::int64_t count);
OnnxValue countTo(const NodeContext& ctx, OnnxValue count); ///< count: an int64 vector of one element
/// 0, 1, ... up to the size of a dimension of x, as an int64 vector: a constant if the size is fixed.
OnnxValue countUp(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
/// A tensor of one value in the shape of x.
OnnxValue filledLike(const NodeContext& ctx, OnnxValue x, ElementType type, double value);
/// A tensor of one value in fixed dimensions.
OnnxValue filled(const NodeContext& ctx, ElementType type, const Ints& dims, double value);
/// A tensor of one value in dimensions given as an int64 vector, by ONNX's ConstantOfShape.
OnnxValue constantOfShape(const NodeContext& ctx, ElementType type, OnnxValue dims, double value);
/// The same, a constant if the dimensions are known, else an Expand.
OnnxValue filledTo(const NodeContext& ctx, ElementType type, double value, OnnxValue dims);

} // namespace crosswalk::forms
