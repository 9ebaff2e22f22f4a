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

/// Topological order that keeps the file's order where that is topological. Edges out of a `isBackEdge` node
/// (NextIteration) close a loop and do not count; where other edges form a cycle too, some of its nodes come before
/// what they read.
NodeOrder topologicalOrder(std::span<const Dependencies> dependencies, const std::vector<bool>& isBackEdge);

} // namespace crosswalk::tensorflow
