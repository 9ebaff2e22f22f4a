#pragma once

#include "core/compare/match_nodes.h"

#include <stop_token>

namespace crosswalk {

enum class Change : std::uint8_t { Same, Changed, Removed, Added };
std::string_view changeName(Change change);

/// One thing that two nodes or models differ in. Empty text: it is not there.
struct Difference {
    std::string what; ///< "attribute axis", "weight fc1_bias", "input 0", "opset ai.onnx"
    std::string before;
    std::string after;

    friend bool operator==(const Difference&, const Difference&) = default;
};

/// How two graphs differ. A node that has only another name is the same node.
struct ModelDiff {
    NodeMatch match;
    std::vector<Change> ofFirst;                      ///< by node: Same, Changed or Removed
    std::vector<Change> ofSecond;                     ///< by node: Same, Changed or Added
    std::vector<std::vector<Difference>> differences; ///< by node of the first
    std::vector<Difference> model;                    ///< opsets, inputs and outputs

    bool isEqual() const;
    std::size_t count(Change change) const; ///< nodes
};

/// Throws ModelError "cancelled" when stopped: contents of weights are compared, too.
ModelDiff compareGraphs(const Graph& first, const Graph& second, const std::stop_token& stop = {});

} // namespace crosswalk
