#pragma once

#include "core/convert/options.h"
#include "core/graph/graph.h"

#include <span>

namespace crosswalk {

/// The part that these nodes are: it begins at what they read and do not make, and ends at what others read of them and
/// at outputs of the model. Nothing where nothing would be left to read or to give.
std::optional<ModelPart> partOf(const Graph& graph, std::span<const NodeId> nodes);

} // namespace crosswalk
