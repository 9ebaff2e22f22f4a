#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// Tensors of one shape beside each other on a new axis, 0 <= axis <= rank.
OnnxValue stacked(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis);
/// Equal parts along an axis (not negative); a size that does not divide is invalid, an open one is left to the run.
OnnxValues splitEvenly(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count);

} // namespace crosswalk::mxnet
