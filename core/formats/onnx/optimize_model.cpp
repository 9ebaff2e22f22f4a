#include "core/formats/onnx/optimize_model.h"

#include "core/convert/attention_notes.h"
#include "core/formats/onnx/link_nodes.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/rewrite/opset/change_opset.h"
#include "core/rewrite/optimize.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace crosswalk {
namespace {

/// The first opset that the passes support.
constexpr int lowestOptimized = 11;

/// The inputs with a default value, which a run may replace.
std::unordered_set<std::string> replaceableWeights(const ::onnx::GraphProto& graph)
{
    std::unordered_set<std::string> stored;
    for (const auto& weight : graph.initializer()) {
        stored.insert(weight.name());
    }
    std::unordered_set<std::string> replaceable;
    for (const auto& input : graph.input()) {
        if (stored.contains(input.name())) {
            replaceable.insert(input.name());
        }
    }
    return replaceable;
}

/// Below IR version 4 every weight was listed as an input, and none could be replaced.
void unlistWeights(::onnx::ModelProto& model)
{
    const auto weights = replaceableWeights(model.graph());
    auto& inputs = *model.mutable_graph()->mutable_input();
    inputs.erase(
        std::remove_if(inputs.begin(), inputs.end(), [&](const auto& input) { return weights.contains(input.name()); }),
        inputs.end());
    raiseIrVersion(model);
}

/// The types of all values but the stored ones.
ValueTypes typesOf(const ::onnx::GraphProto& graph, const InferredModel& inferred)
{
    ValueTypes types;
    const auto add = [&](const std::string& name) {
        if (auto type = inferred.typeOf(name)) {
            types[name] = std::move(*type);
        }
    };
    for (const auto& input : graph.input()) {
        add(input.name());
    }
    for (const auto& node : graph.node()) {
        std::ranges::for_each(node.output(), add);
    }
    return types;
}

} // namespace

void optimizeModel(const Graph& graph, const NodeNames& names, OnnxModel& model, bool fusesAttention,
                   Conversion& conversion)
{
    if (const int opset = opsetOf(model); opset < lowestOptimized) {
        conversion.problems.push_back(
            {.severity = Severity::Warning,
             .code = "not-optimized",
             .message =
                 fmt::format("only models of opset {} and later are optimized, but this is {}", lowestOptimized, opset),
             .hint = fmt::format("--opset {} converts it", lowestOptimized)});
        return;
    }
    const InferredModel inferred(model, Declared::Inputs);
    if (inferred.error()) {
        return; // it is reported, and nothing is written
    }
    auto types = typesOf(model.proto->graph(), inferred);
    if (graph.irVersion < 4) {
        unlistWeights(*model.proto);
    } else if (const auto count = replaceableWeights(model.proto->graph()).size(); count > 0) {
        conversion.problems.push_back(
            {.severity = Severity::Note,
             .code = "replaceable-weights",
             .message = count == 1 ? "1 weight is also an input, which a run may replace: its consumers are not folded"
                                   : fmt::format("{} weights are also inputs, which a run may replace: their consumers "
                                                 "are not folded",
                                                 count)});
    }
    std::vector<AttentionFinding> attention;
    optimize({.model = model,
              .sources = conversion.sources,
              .types = types,
              .attention = fusesAttention ? &attention : nullptr},
             names);
    if (fusesAttention) {
        addAttentionNotes(model, attention, conversion.problems);
    }
    linkBySources(graph, conversion);
}

} // namespace crosswalk
