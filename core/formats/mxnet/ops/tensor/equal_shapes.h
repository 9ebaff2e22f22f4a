#pragma once

#include "core/convert/node_context.h"

#include <cstddef>

namespace crosswalk::mxnet {

/// For operators that do not broadcast. Throws ModelError "shape-conflict" unless the inputs from `first` on may have
/// equal shapes.
void expectEqualShapes(const NodeContext& ctx, std::size_t first = 0);

/// Throws if the first `count` inputs have different types: a product would round the weights to the type of the data.
void expectEqualTypes(const NodeContext& ctx, std::size_t count);

} // namespace crosswalk::mxnet
