#pragma once

#include "core/graph/graph.h"
#include "crosswalk/options.h"

#include <optional>
#include <span>

namespace crosswalk {

/// The part that consists of these nodes: it starts at the values that they read but do not produce, and ends at values
/// that other nodes read and at model outputs. Returns nothing if the part would have no inputs or no outputs.
std::optional<ModelPart> partOf(const Graph& graph, std::span<const NodeId> nodes);

} // namespace crosswalk
