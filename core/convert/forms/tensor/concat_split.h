#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <string>

namespace crosswalk::forms {

/// Stacks tensors of equal shape on a new axis, 0 <= axis <= rank.
OnnxValue stacked(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis);
/// Equal parts along an axis (not negative); an indivisible size is invalid, an open one is resolved at run time.
/// `attribute`: the node's attribute that contains `count`.
OnnxValues splitEvenly(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count,
                       const std::string& attribute = {});

} // namespace crosswalk::forms
