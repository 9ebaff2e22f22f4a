#pragma once

#include "core/graph/parameters.h"

#include <vector>

namespace crosswalk {

/// By node: its weights, which are those that it or a body of it reads, also through nodes that compute only from
/// stored values, and those of its bodies. Such nodes have none themselves. A weight that several nodes read counts at
/// the first of them, so that the sum is that of the model. `isStoredAlone` as storedAlone() returns it. `listed`: the
/// nodes to count the weights of, by node; empty: all.
std::vector<ParameterCount> weightsByNode(const Graph& graph, const std::vector<bool>& isStoredAlone,
                                          const std::vector<bool>& listed = {});

struct LayerSize {
    NodeId node;
    ParameterCount weights;
};

/// The nodes that have weights (weightsByNode), by descending bytes.
std::vector<LayerSize> layerSizes(const Graph& graph, const std::vector<bool>& isStoredAlone);

} // namespace crosswalk
