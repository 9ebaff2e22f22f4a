#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// condition ? a : b, for every element type; a and b have the same. All three broadcast.
OnnxValue choose(const NodeContext& ctx, OnnxValue condition, OnnxValue a, OnnxValue b);

} // namespace crosswalk::forms
