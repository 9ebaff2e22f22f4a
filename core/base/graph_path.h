#pragma once

#include <cstdint>
#include <utility> // std::strong_ordering; moc cannot parse <compare> on its own
#include <vector>

namespace crosswalk {

/// One step from a graph into a body: node `node` refers to `subgraphs[subgraph]` of its graph.
struct BodyStep {
    std::uint32_t node = 0;
    std::uint32_t subgraph = 0;
    friend auto operator<=>(const BodyStep&, const BodyStep&) = default; // NOLINT(modernize-use-nullptr)
};

/// The way from a model's graph to a body, outermost step first. Empty: the model's own graph.
using GraphPath = std::vector<BodyStep>;

} // namespace crosswalk
