#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/options.h"
#include "core/graph/graph_rewriter.h"

namespace crosswalk {

/// A value of a lowered graph: of the graph itself, or of a body in it.
struct LoweredValue {
    const Graph* body = nullptr; ///< null: the lowered graph
    ValueId value = {};
};

/// What lowering makes of a source graph: an acyclic graph without control edges, calls and variables, whose bodies
/// take every value that they read as an input. Its nodes have Node::origins; a body that lowering left alone is the
/// source's own, and its nodes are their own origins.
struct LoweredGraph {
    Graph graph;
    std::vector<LoweredValue> standIns;    ///< by value of the source: the equal value, none where it is gone
    std::vector<Diagnostic> problems = {}; ///< their nodes are the source's
    /// Nodes of the source's own graph that lowering merged into the form of another one, such as those of a loop into
    /// the node of its condition.
    std::map<NodeId, NodeId> merged = {};

    LoweredGraph() = default;
    explicit LoweredGraph(GraphRewriter::Result rewritten);
};

/// A step of lowering. Passes run in the order of a framework's list; each sees what the one before left.
struct LoweringPass {
    std::string_view name;
    /// Returns whether it changed the graph; what it did otherwise is discarded. Problems name nodes by
    /// Diagnostic::path and nodeIndex, of the graph that the pass sees.
    bool (*run)(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);
};

/// Runs passes over the source. `identity` is the framework's operator that returns its input unchanged.
LoweredGraph lowerWith(std::span<const LoweringPass> passes, const Graph& source, std::string identity,
                       const ConvertOptions& options);

} // namespace crosswalk
