#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// Tensors of one shape beside each other on a new axis, 0 <= axis <= rank.
OnnxValue stacked(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis);
/// Equal parts along an axis (not negative); a size that does not divide is invalid, an open one is left to the run.
/// `attribute` of the node is where `count` comes from.
OnnxValues splitEvenly(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count,
                       const std::string& attribute = {});

} // namespace crosswalk::forms
