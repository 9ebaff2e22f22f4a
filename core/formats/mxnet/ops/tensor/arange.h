#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// A constant whose elements follow from their index: computed when they are read, rounded to the type once.
OnnxValue computedConstant(const NodeContext& ctx, ElementType type, const Ints& dims,
                           std::function<double(std::uint64_t index)> element);

} // namespace crosswalk::mxnet
