#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// The axes in attribute axis by numpy's rules, in order: all if it is None, none if it is (). A scalar has none.
Ints numpyAxes(const NodeContext& ctx, OnnxValue x);

} // namespace crosswalk::mxnet
