#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// condition ? a : b, of every element type; a and b have one. All three broadcast.
OnnxValue choose(const NodeContext& ctx, OnnxValue condition, OnnxValue a, OnnxValue b);

} // namespace crosswalk::forms
