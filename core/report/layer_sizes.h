#pragma once

#include "core/graph/parameters.h"

#include <vector>

namespace crosswalk {

/// The weights of a node: those that it reads, also through nodes that compute only from stored values, and those of
/// its bodies. `isStoredAlone` as storedAlone() returns it. A weight that several nodes read counts for each.
ParameterCount weightsOf(const Graph& graph, const std::vector<bool>& isStoredAlone, NodeId id);

struct LayerSize {
    NodeId node;
    ParameterCount weights;
};

/// The nodes that have weights and are not computed from stored values alone, by descending bytes.
std::vector<LayerSize> layerSizes(const Graph& graph, const std::vector<bool>& isStoredAlone);

} // namespace crosswalk
