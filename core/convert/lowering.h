#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph_rewriter.h"
#include "crosswalk/options.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// A value of a lowered graph, or of a body in it.
struct LoweredValue {
    const Graph* body = nullptr; ///< null: the lowered graph
    ValueId value = {};
};

/// The result of lowering a source graph: an acyclic graph without control edges, calls and variables, whose bodies
/// take every value that they read as an input. Its nodes have Node::origins; a body that lowering did not change is
/// the source's body, and its nodes are their own origins.
struct LoweredGraph {
    Graph graph;
    std::vector<LoweredValue> standIns;    ///< by source value: the equivalent value, invalid if it was removed
    std::vector<Diagnostic> problems = {}; ///< refer to nodes of the source
    /// Nodes of the source's top-level graph that lowering merged into another node, such as those of a loop into the
    /// node of its condition.
    std::map<NodeId, NodeId> merged = {};
    /// Inputs of the lowered graph that contain a state, each with the output that returns the next one, by name.
    std::map<std::string, std::string> states = {};
    /// Inputs of the lowered graph, by name, whose stored content is what a run takes if it is not fed.
    std::set<std::string> defaults = {};

    LoweredGraph() = default;
    explicit LoweredGraph(GraphRewriter::Result rewritten);
};

/// A step of lowering. Passes run in the order of a framework's list, each on the result of the previous one.
struct LoweringPass {
    std::string_view name;
    /// Returns whether it changed the graph; otherwise its changes are discarded. Problems refer to nodes of the graph
    /// that the pass receives, by Diagnostic::path and nodeIndex.
    bool (*run)(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);
};

/// Runs passes on the source. `identity` is the framework's operator that returns its input unchanged.
LoweredGraph lowerWith(std::span<const LoweringPass> passes, const Graph& source, std::string identity,
                       const ConvertOptions& options);

} // namespace crosswalk
