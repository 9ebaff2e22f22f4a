#include "core/convert/rerolled.h"

#include "core/onnx/proto.h"
#include "core/onnx/provenance.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk {
namespace {

/// Choices for nodes of the source, as choices for the nodes that stand for them.
ConvertOptions optionsFor(const RewrittenGraph& rewritten, const Graph& source, ConvertOptions options)
{
    const NodeNames before(source);
    const NodeNames now(rewritten.graph);
    const auto given = std::exchange(options.strategies, {});
    for (const auto& [name, strategy] : given) {
        const auto id = before.find(name);
        if (!id) {
            throw ModelError("unknown-node", fmt::format("--strategy names node {}, which the model has not", name));
        }
        for (std::uint32_t i = 0; i < rewritten.origins.size(); ++i) {
            const auto& origins = rewritten.origins[i];
            if (std::find(origins.begin(), origins.end(), *id) != origins.end()) {
                options.strategies[now.of(NodeId{i})] = strategy;
            }
        }
    }
    return options;
}

Verdict together(const std::vector<Verdict>& parts, std::size_t targets)
{
    const auto has = [&](Verdict verdict) { return std::find(parts.begin(), parts.end(), verdict) != parts.end(); };
    return has(Verdict::Unsupported)   ? Verdict::Unsupported
           : has(Verdict::Approximate) ? Verdict::Approximate
           : targets == 0              ? Verdict::Folded
           : targets == 1              ? Verdict::Exact
                                       : Verdict::Decomposed;
}

/// What was said of the rewritten graph, said of the source.
void sayOfSource(Conversion& conversion, const RewrittenGraph& rewritten, const Graph& source)
{
    const NodeNames names(source);
    const auto originsOf = [&](const std::vector<NodeId>& nodes) {
        std::set<NodeId> origins;
        for (const NodeId node : nodes) {
            origins.insert(rewritten.origins[node.index].begin(), rewritten.origins[node.index].end());
        }
        return std::vector<NodeId>(origins.begin(), origins.end());
    };
    std::vector<std::vector<Verdict>> verdicts(source.nodeCount());
    for (std::uint32_t i = 0; i < rewritten.origins.size(); ++i) {
        for (const NodeId origin : rewritten.origins[i]) {
            verdicts[origin.index].push_back(conversion.verdicts[i]);
        }
    }
    conversion.targets.assign(source.nodeCount(), {});
    for (std::uint32_t i = 0; i < conversion.sources.size(); ++i) {
        conversion.sources[i] = originsOf(conversion.sources[i]);
        for (const NodeId origin : conversion.sources[i]) {
            conversion.targets[origin.index].push_back(i);
        }
        writeSources(*conversion.model.proto->mutable_graph()->mutable_node(static_cast<int>(i)), conversion.sources[i],
                     names);
    }
    conversion.verdicts.clear();
    for (std::size_t i = 0; i < source.nodeCount(); ++i) {
        conversion.verdicts.push_back(together(verdicts[i], conversion.targets[i].size()));
    }
    conversion.behindGaps = originsOf(conversion.behindGaps);
    for (Diagnostic& problem : conversion.problems) {
        const auto* origins = problem.nodeIndex ? &rewritten.origins[*problem.nodeIndex] : nullptr;
        if (origins != nullptr && !origins->empty()) {
            problem.node = names.of(origins->front());
            problem.nodeIndex = origins->front().index;
            problem.op = source.node(origins->front()).op;
        }
    }
    std::vector<std::string> valueNames;
    std::vector<TensorType> valueTypes;
    for (const ValueId standIn : rewritten.standIns) {
        valueNames.push_back(standIn ? conversion.valueNames[standIn.index] : std::string());
        valueTypes.push_back(standIn ? conversion.valueTypes[standIn.index] : TensorType());
    }
    conversion.valueNames = std::move(valueNames);
    conversion.valueTypes = std::move(valueTypes);
}

std::size_t errorCount(const Conversion& conversion)
{
    return static_cast<std::size_t>(
        std::count_if(conversion.problems.begin(), conversion.problems.end(),
                      [](const Diagnostic& problem) { return problem.severity == Severity::Error; }));
}

} // namespace

Conversion convertRerolled(const Graph& graph, const ConvertOptions& options, const Framework& framework,
                           const std::function<Conversion(const Graph&, const ConvertOptions&)>& convert)
{
    RewrittenGraph rewritten = framework.reroll != nullptr ? framework.reroll(graph) : RewrittenGraph{};
    std::vector<Diagnostic> said = std::move(rewritten.problems);
    Conversion result;
    const bool asItStands = rewritten.graph.outputs.empty();
    if (!asItStands) {
        result = convert(rewritten.graph, optionsFor(rewritten, graph, options));
        sayOfSource(result, rewritten, graph);
        // Dimensions that only the running model shows may differ from what the steps promise, and the steps as they
        // stand take them.
        if (result.hasErrors()) {
            Conversion plain = convert(graph, options);
            if (errorCount(plain) < errorCount(result)) {
                const auto first =
                    std::find_if(result.problems.begin(), result.problems.end(),
                                 [](const auto& problem) { return problem.severity == Severity::Error; });
                said = {{.severity = Severity::Warning,
                         .code = "not-rerolled",
                         .message = "re-rolled, the model would not convert, so that its steps stand as they are: " +
                                    first->message,
                         .node = first->node,
                         .nodeIndex = first->nodeIndex,
                         .op = first->op}};
                result = std::move(plain);
            }
        }
    } else {
        result = convert(graph, options);
    }
    result.problems.insert(result.problems.end(), said.begin(), said.end());
    return result;
}

} // namespace crosswalk
