#include "core/convert/conversion.h"

#include "core/convert/convert_over_batch.h"
#include "core/convert/custom_op.h"
#include "core/convert/kernel_notes.h"
#include "core/convert/select_outputs.h"
#include "core/convert/source_names.h"
#include "core/convert/states.h"
#include "core/convert/translation.h"
#include "core/onnx/inference_conflicts.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/proto.h"
#include "core/rewrite/rename_ports.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <stdexcept>

namespace crosswalk {

bool Conversion::hasErrors() const
{
    return crosswalk::hasErrors(problems);
}

bool Conversion::inputIsBad() const
{
    return std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == Code("missing-weight") || problem.code == Code("wrong-weight") ||
               problem.code == Code("invalid-model");
    });
}

namespace {

/// Renames the model's inputs and outputs to the user's names everywhere.
void renamePorts(Conversion& conversion, const Renames& renames)
{
    if (renames.empty()) {
        return;
    }
    crosswalk::renamePorts(conversion.model.whole(), renames);
    conversion.keepsGraph = false;
    const auto renamed = [&](const std::string& name) {
        const auto found = renames.find(name);
        return found != renames.end() ? found->second : name;
    };
    for (std::string& name : conversion.valueNames) {
        name = renamed(name);
    }
    if (!conversion.states.empty()) {
        std::map<std::string, std::string> pairs;
        for (const auto& [input, output] : conversion.states) {
            pairs.emplace(renamed(input), renamed(output));
        }
        pairStates(conversion, pairs);
    }
}

std::size_t errorCount(const Conversion& conversion)
{
    return static_cast<std::size_t>(
        std::count_if(conversion.problems.begin(), conversion.problems.end(),
                      [](const Diagnostic& problem) { return problem.severity == Severity::Error; }));
}

Conversion lowerAndTranslate(const Graph& graph, const ConvertOptions& options, const Framework& framework,
                             const std::stop_token& stop)
{
    const LoweredGraph lowered =
        framework.lower != nullptr ? framework.lower(graph, options) : lowerWith({}, graph, {}, options);
    Conversion result = translate(lowered, graph, options, framework, stop);
    result.states = lowered.states;
    return result;
}

/// Dimensions known only at run time may contradict re-rolled steps. The unrolled steps accept them, so they are kept
/// if re-rolling causes errors.
Conversion convertRerolled(const Graph& graph, const ConvertOptions& options, const Framework& framework,
                           const std::stop_token& stop)
{
    Conversion result = lowerAndTranslate(graph, options, framework, stop);
    if (!result.hasErrors()) {
        return result;
    }
    ConvertOptions unrolled = options;
    unrolled.reroll = false;
    Conversion plain = lowerAndTranslate(graph, unrolled, framework, stop);
    if (errorCount(plain) >= errorCount(result)) {
        return result;
    }
    const auto first = std::find_if(result.problems.begin(), result.problems.end(),
                                    [](const auto& problem) { return problem.severity == Severity::Error; });
    Diagnostic problem = *first;
    problem.severity = Severity::Warning;
    problem.code = "not-rerolled";
    problem.message = "re-rolled, the model would not convert, so its steps stay unrolled: " + first->message;
    problem.hint.clear();
    problem.attribute.clear();
    problem.choices.clear();
    plain.problems.push_back(std::move(problem));
    return plain;
}

/// Why onnx's inference rejects a converted model.
std::vector<InferenceConflict> conflictsIn(const Conversion& conversion)
{
    return conversion.hasErrors()
               ? std::vector<InferenceConflict>()
               : crosswalk::conflictsIn(InferredModel(conversion.model.whole()).error().value_or(std::string()));
}

/// Where a node of a converted model comes from.
std::optional<NodeId> sourceOf(const std::string& node, const Conversion& conversion)
{
    const auto& nodes = conversion.model.whole().proto->graph().node();
    const auto found = node.empty() ? nodes.end() : std::ranges::find(nodes, node, &::onnx::NodeProto::name);
    const auto place = static_cast<std::size_t>(found - nodes.begin());
    return found != nodes.end() && place < conversion.sources.size() && !conversion.sources[place].empty()
               ? std::optional(conversion.sources[place].front())
               : std::nullopt;
}

/// onnx checks the values of some operands (axes, repeats, sizes) only where they are stored. With wrong ones, a model
/// is valid as long as it computes them, and fails when it runs their node, if it ever does. Optimized, it stores them
/// and is invalid: the model is converted without optimization then.
Conversion unoptimizedIfInvalid(Conversion optimized, const Graph& graph,
                                const std::function<Conversion()>& convertPlainly)
{
    const auto conflicts = conflictsIn(optimized);
    if (conflicts.empty()) {
        return optimized;
    }
    Conversion plain = convertPlainly();
    if (plain.hasErrors() || !conflictsIn(plain).empty()) {
        return optimized;
    }
    const InferenceConflict& conflict = conflicts.front();
    Diagnostic problem{.severity = Severity::Warning,
                       .code = "not-optimized",
                       .message = fmt::format("optimized, the model would be invalid{}, so it is not: {}",
                                              conflict.node.empty() ? " at a " + conflict.op : "", conflict.why),
                       .node = conflict.node,
                       .op = conflict.op};
    if (const auto source = sourceOf(conflict.node, optimized)) {
        problem.node.clear();
        SourceNames(graph).locate(problem, {{}, *source});
    }
    plain.problems.push_back(std::move(problem));
    return plain;
}

Conversion convertModel(const Graph& graph, const ConvertOptions& options, const Framework& framework,
                        const std::stop_token& stop)
{
    const auto convertOnce = [&](const ConvertOptions& chosen) {
        return framework.convertWhole != nullptr ? framework.convertWhole(graph, chosen, stop)
               : chosen.reroll                   ? convertRerolled(graph, chosen, framework, stop)
                                                 : lowerAndTranslate(graph, chosen, framework, stop);
    };
    const auto convertWith = [&](const ConvertOptions& chosen) {
        return chosen.scanOverBatch.empty() ? convertOnce(chosen) : convertOverBatch(chosen, convertOnce);
    };
    Conversion result = convertWith(options);
    if (options.optimize) {
        result = unoptimizedIfInvalid(std::move(result), graph, [&] {
            ConvertOptions plain = options;
            plain.optimize = false;
            return convertWith(plain);
        });
    }
    if (!result.hasErrors() && result.model.frame().graph().output().empty()) {
        result.problems.push_back(Diagnostic{.code = "invalid-model", .message = "the model has no outputs"});
    }
    if (framework.states != nullptr || !result.states.empty()) {
        pairStates(result, framework.states != nullptr ? framework.states(graph) : std::map(result.states));
    }
    if (!result.hasErrors()) {
        addKernelNotes(graph, result);
    }
    renamePorts(result, options.renames);
    noteUnusedOperators(graph, options, result.problems);
    return result;
}

} // namespace

Result<Conversion> convert(const Graph& graph, const ConvertOptions& options, std::stop_token stop)
{
    const Framework* framework = findFramework(graph.format);
    if (framework == nullptr) {
        return Diagnostic{.severity = Severity::Error,
                          .code = "unknown-format",
                          .message = fmt::format("models of format {} are not convertible", graph.format)};
    }
    try {
        if (options.outputs.empty()) {
            return convertModel(graph, options, *framework, stop);
        }
        const Graph cut = withOutputs(graph, options.outputs);
        return convertModel(cut, withoutCutPorts(options, graph, cut), *framework, stop);
    } catch (const ModelError& error) {
        return error.diagnostic;
    } catch (const std::logic_error& error) { // in a pass over the source's graph
        return Diagnostic{
            .code = "wrong-operands",
            .message = fmt::format("the operands and attributes of a node do not fit together ({})", error.what())};
    }
}

} // namespace crosswalk
