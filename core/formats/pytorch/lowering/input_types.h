#pragma once

#include "core/graph/graph.h"

namespace crosswalk::pytorch {

/// Gives inputs of unknown element type the one that their operators need: int64 for indices, bool for masks.
/// TorchScript does not store it. Other inputs keep an undefined type.
void inferInputTypes(Graph& graph);

} // namespace crosswalk::pytorch
