#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// The axes that attribute axis names by numpy's rules, in order: all where it is None, none where it is (). A scalar
/// has none.
Ints numpyAxes(const NodeContext& ctx, OnnxValue x);

} // namespace crosswalk::mxnet
