#include "core/api/without_exceptions.h"
#include "core/convert/check_options.h"
#include "core/convert/conversion.h"
#include "core/convert/framework.h"
#include "core/convert/select_outputs.h"
#include "core/formats/onnx_graph.h"
#include "core/formats/read_model.h"
#include "core/graph/needed_nodes.h"
#include "core/graph/parameters.h"
#include "core/onnx/work.h"
#include "crosswalk/crosswalk.h"

#include <algorithm>

namespace crosswalk {
namespace {

std::vector<Port> ports(const Graph& graph, std::span<const ValueId> values, std::span<const TensorType> types)
{
    std::vector<Port> list;
    for (const ValueId id : values) {
        const Value& value = graph.value(id);
        const bool isInferred = id.index < types.size() && !value.tensor;
        list.push_back({value.name, isInferred ? types[id.index] : TensorType(value.type)});
    }
    return list;
}

/// The types of an ONNX model that these options leave as it is: inspecting it needs no conversion. Nothing for any
/// other model.
std::optional<std::vector<TensorType>> typesOfUnchanged(const Graph& graph, const ConvertOptions& options,
                                                        const std::stop_token& stop)
{
    const Framework* framework = findFramework(graph.format);
    if (framework == nullptr || framework->typesOfUnchanged == nullptr || !areDefault(options)) {
        return std::nullopt;
    }
    return framework->typesOfUnchanged(graph, stop);
}

ModelSummary summaryOf(const LoadedModel& model, const ConvertOptions& options, const std::stop_token& stop)
{
    const std::vector<std::string>& outputs = options.outputs;
    const Graph& whole = *model.graph;
    std::optional<Graph> cut;
    if (!outputs.empty()) {
        cut = withOutputs(whole, outputs);
    }
    const Graph& graph = cut ? *cut : whole;
    const std::vector<bool> needed = cut ? neededValues(graph) : std::vector<bool>(graph.valueCount(), true);
    std::map<std::string, std::size_t> functions;
    for (const Graph::Function& function : graph.functions) {
        functions.emplace(function.name, graph.subgraph(function.body).nodeCount());
    }
    std::map<std::string, std::size_t> unused;
    for (const auto& [scope, nodes] : unneededScopes(graph)) {
        unused.emplace(scope, nodes.size());
    }
    ModelSummary summary{.format = graph.format,
                         .producer = graph.producer,
                         .version = graph.version,
                         .opsets = graph.opsets,
                         .parameters = countParameters(graph, needed),
                         .metadata = graph.metadata,
                         .signatures = model.signatures,
                         .functions = std::move(functions),
                         .tables = model.tables,
                         .assets = model.assets,
                         .unused = std::move(unused)};
    std::vector<TensorType> types;
    if (auto unchanged = typesOfUnchanged(whole, options, stop)) {
        types = std::move(*unchanged);
        summary.work = workOf(whole, types);
    } else if (auto converted = convert(whole, options, stop)) {
        Conversion& conversion = converted.value();
        summary.work = conversion.keepsGraph ? workOf(whole, conversion.valueTypes) : workOf(graphOf(conversion));
        summary.states = std::move(conversion.states);
        types = std::move(conversion.valueTypes);
    } else if (converted.problem().code == Code("cancelled") || converted.problem().code == Code("unknown-input")) {
        throw ModelError(converted.problem());
    }
    ValueIds inputs;
    std::copy_if(graph.inputs.begin(), graph.inputs.end(), std::back_inserter(inputs),
                 [&](ValueId id) { return graph.value(id).role == Role::Data; });
    summary.inputs = ports(graph, inputs, types);
    summary.outputs = ports(graph, graph.outputs, types);
    for (const Node& node : graph.nodes()) {
        const bool isNeeded = !cut || std::any_of(node.outputs.begin(), node.outputs.end(),
                                                  [&](ValueId output) { return output && needed[output.index]; });
        if (isNeeded) {
            ++summary.operators[node.op];
        }
    }
    return summary;
}

} // namespace

Result<ModelSummary> inspect(const Model& model, const std::vector<std::string>& outputs, std::stop_token stop)
{
    return inspect(model, ConvertOptions{.outputs = outputs}, std::move(stop));
}

Result<ModelSummary> inspect(const Model& model, const ConvertOptions& options, std::stop_token stop)
{
    return withoutExceptions<ModelSummary>([&] { return summaryOf(model.loaded(), options, stop); });
}

} // namespace crosswalk
