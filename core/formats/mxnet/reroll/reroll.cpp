#include "core/formats/mxnet/reroll/reroll.h"

#include "core/formats/mxnet/reroll/identity_elimination.h"
#include "core/formats/mxnet/reroll/recurrent_node.h"
#include "core/formats/mxnet/reroll/run_parameters.h"
#include "core/formats/mxnet/reroll/unrecognised.h"
#include "core/formats/mxnet/reroll/valid_length.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// The other direction of a run, among those not yet replaced.
UnrolledRun* partnerOf(const GraphRewriter& graph, Sequences& sequences, const UnrolledRun& run,
                       std::span<UnrolledRun> others)
{
    const auto partner = std::find_if(others.begin(), others.end(), [&](UnrolledRun& other) {
        return !other.steps.empty() && arePair(graph, sequences, run, other) && obstacleOf(graph, other).empty() &&
               packingObstacle(graph, other).empty();
    });
    return partner != others.end() ? &*partner : nullptr;
}

Diagnostic about(NodeId node, Severity severity, Code code, std::string message)
{
    return {.severity = severity, .code = code, .message = std::move(message), .nodeIndex = node.index};
}

NodeId firstNode(const UnrolledRun& run)
{
    return run.steps.front().nodes.front();
}

} // namespace

bool reroll(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems)
{
    if (!options.reroll) {
        return false;
    }
    Sequences sequences(graph, options.shapes);
    NodeSet explained;
    bool any = false;
    eliminateIdentities(graph);
    std::vector<UnrolledRun> runs = findRuns(graph);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        UnrolledRun& run = runs[i];
        if (run.steps.empty()) {
            continue; // already merged as the other direction of an earlier run
        }
        std::string obstacle = obstacleOf(graph, run);
        if (!obstacle.empty()) {
            run.validLength = findValidLength(graph, run);
            obstacle = obstacleOf(graph, run);
        }
        obstacle = obstacle.empty() ? packingObstacle(graph, run) : obstacle;
        if (!obstacle.empty()) {
            explained.merge(run.nodes());
            problems.push_back(about(
                firstNode(run), Severity::Warning, "not-rerolled",
                fmt::format("{} steps of {} stay unrolled: {}", run.steps.size(), cellName(run.mode()), obstacle)));
            continue;
        }
        UnrolledRun* partner = partnerOf(graph, sequences, run, std::span(runs).subspan(i + 1));
        putRecurrentNode(graph, sequences, run, partner);
        any = true;
        problems.push_back(about(firstNode(run), Severity::Note, "rerolled",
                                 fmt::format("replaced {} steps of {} by one{} recurrent node", run.steps.size(),
                                             cellName(run.mode()), partner != nullptr ? " bidirectional" : "")));
        if (partner != nullptr) {
            partner->steps.clear();
        }
    }
    if (any) {
        sequences.replaceStacks();
        sequences.replaceSteps();
    }
    for (const auto& [node, reason] : unrecognisedSteps(graph, std::move(explained))) {
        problems.push_back(about(node, Severity::Warning, "not-rerolled", reason));
    }
    if (problems.empty()) {
        problems.push_back({.severity = Severity::Warning,
                            .code = "not-rerolled",
                            .message = "nothing was re-rolled: the graph has no run of equal recurrent steps"});
    }
    return any;
}

} // namespace crosswalk::mxnet
