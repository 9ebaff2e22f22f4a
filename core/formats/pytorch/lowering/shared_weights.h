#pragma once

#include "core/graph/graph.h"

#include <string_view>

namespace crosswalk::pytorch {

/// Attribute of a linear layer: other nodes read its weight too, such as the embedding of a language model. A
/// transposed copy would be stored beside it.
constexpr std::string_view hasSharedWeight = "shared_weight";

void markSharedWeights(Graph& graph);

} // namespace crosswalk::pytorch
