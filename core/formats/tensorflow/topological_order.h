#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::tensorflow {

/// The nodes that one node reads, or that run before it, as indices.
using Dependencies = std::vector<std::uint32_t>;

struct NodeOrder {
    std::vector<std::uint32_t> nodes; ///< indices of the file's nodes in topological order
    bool hasCycles = false;
};

/// Topological order that preserves the file's order if that is topological. Edges out of a `isBackEdge` node
/// (NextIteration) close a loop and do not count; if other edges also form a cycle, some of its nodes precede their
/// inputs.
NodeOrder topologicalOrder(std::span<const Dependencies> dependencies, const std::vector<bool>& isBackEdge);

} // namespace crosswalk::tensorflow
