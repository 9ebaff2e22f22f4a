#include "core/convert/lowering.h"

namespace crosswalk {
namespace {

void referToSource(Diagnostic& problem, const Graph& graph)
{
    if (problem.nodeIndex && problem.path.empty()) {
        const NodeRef& origin = graph.node(NodeId{*problem.nodeIndex}).origins.front();
        problem.path = origin.path;
        problem.nodeIndex = origin.path.empty() ? origin.node.index : origin.path.front().node;
        problem.indexInBody = origin.path.empty() ? 0 : origin.node.index;
    }
}

} // namespace

LoweredGraph::LoweredGraph(GraphRewriter::Result rewritten)
    : graph(std::move(rewritten.graph))
{
    standIns.reserve(rewritten.standIns.size());
    for (const ValueId value : rewritten.standIns) {
        standIns.push_back({nullptr, value});
    }
}

LoweredGraph lowerWith(std::span<const LoweringPass> passes, const Graph& source, std::string identity,
                       const ConvertOptions& options)
{
    LoweredGraph lowered(GraphRewriter(source, identity).finish());
    for (const LoweringPass& pass : passes) {
        GraphRewriter rewriter(lowered.graph, identity);
        std::vector<Diagnostic> problems;
        const bool isChanged = pass.run(rewriter, options, problems);
        for (Diagnostic& problem : problems) {
            referToSource(problem, lowered.graph);
            lowered.problems.push_back(std::move(problem));
        }
        if (isChanged) {
            GraphRewriter::Result rewritten = rewriter.finish();
            for (LoweredValue& standIn : lowered.standIns) {
                standIn.value = standIn.value ? rewritten.standIns[standIn.value.index] : ValueId{};
            }
            lowered.graph = std::move(rewritten.graph);
        }
    }
    return lowered;
}

} // namespace crosswalk
