#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// What MXNet itself takes in one tensor.
inline constexpr std::int64_t elementLimit = (std::int64_t{1} << 31) - 1;

/// 0, 1, ... count - 1 as an int64 vector.
OnnxValue countTo(const NodeContext& ctx, std::int64_t count);
/// 0, 1, ... up to the size of a dimension of x, as an int64 vector: a constant where the size is fixed.
OnnxValue countUp(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
/// A tensor of one value in the shape of x.
OnnxValue filledLike(const NodeContext& ctx, OnnxValue x, ElementType type, double value);
/// A tensor of one value in fixed dimensions.
OnnxValue filled(const NodeContext& ctx, ElementType type, const Ints& dims, double value);

} // namespace crosswalk::mxnet
