#include "core/report/layer_table.h"

#include "core/convert/name_dims.h"
#include "core/graph/readable_shape.h"
#include "core/layout/constants.h"
#include "core/onnx/work.h"
#include "core/report/layer_sizes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

/// The rows with what the graph alone determines.
LayerTable unconverted(const Graph& graph, std::span<const TensorType> types, const std::vector<bool>& listed)
{
    const Constants folded = findConstants(graph, Consumers(graph));
    const std::vector<ParameterCount> weights = weightsByNode(graph, storedAlone(graph), listed);
    LayerTable table;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const auto& outputs = graph.node(NodeId{i}).outputs;
        if (folded.nodes[i] || (!listed.empty() && !listed[i])) {
            continue;
        }
        LayerRow row{.node = NodeId{i}, .output = {}, .weights = weights[i]};
        if (!outputs.empty() && outputs.front()) {
            const ValueId output = outputs.front();
            row.output = output.index < types.size() ? types[output.index] : graph.value(output).type;
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// By ONNX node: the source node that its work is counted at; invalid for nodes without a source.
std::vector<NodeId> ownersOf(const Conversion& conversion)
{
    std::vector<NodeId> owners(conversion.sources.size());
    for (std::size_t i = 0; i < owners.size(); ++i) {
        const auto& sources = conversion.sources[i];
        if (!sources.empty()) {
            const auto merged = conversion.mergedInto.find(sources.front());
            owners[i] = merged != conversion.mergedInto.end() ? merged->second : sources.front();
        }
    }
    return owners;
}

std::string csvField(std::string_view field)
{
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(field);
    }
    std::string text = "\"";
    for (const char c : field) {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + '"';
}

} // namespace

LayerTable layerTable(const Graph& graph, const Conversion& conversion, const Graph& onnx,
                      const std::vector<bool>& listed)
{
    LayerTable table = unconverted(graph, conversion.valueTypes, listed);
    const std::vector<Work> works = worksByNode(onnx);
    const std::vector<NodeId> owners = ownersOf(conversion);
    for (const Work& work : works) {
        table.symbolsAsOne.insert(work.symbolsAsOne.begin(), work.symbolsAsOne.end());
    }
    for (LayerRow& row : table.rows) {
        const std::uint32_t index = row.node.index;
        if (index < conversion.verdicts.size()) {
            row.verdict = conversion.verdicts[index];
        }
        if (index >= conversion.targets.size()) {
            continue;
        }
        const auto& targets = conversion.targets[index];
        const auto isOwn = [&](std::uint32_t target) { return owners[target] == row.node; };
        if (!targets.empty() && std::ranges::none_of(targets, isOwn)) {
            row.countedAt = owners[targets.front()];
            continue;
        }
        Work sum;
        for (const std::uint32_t target : targets) {
            if (isOwn(target)) {
                sum.multiplyAdds += works[target].multiplyAdds;
                sum.unknownNodes += works[target].unknownNodes;
            }
        }
        if (sum.unknownNodes == 0 && row.verdict != Verdict::Unsupported) {
            row.multiplyAdds = sum.multiplyAdds;
        }
    }
    return table;
}

LayerTable namedLayers(const Graph& graph, Conversion& conversion, Graph& onnx, const std::stop_token& stop,
                       const std::vector<bool>& listed)
{
    LayerTable table = layerTable(graph, conversion, onnx, listed); // counts the work before
    nameUnknownDims(conversion, onnx, stop);
    for (LayerRow& row : table.rows) {
        if (const auto& outputs = graph.node(row.node).outputs;
            !outputs.empty() && outputs.front().index < conversion.valueTypes.size()) {
            row.output = conversion.valueTypes[outputs.front().index];
        }
    }
    return table;
}

LayerTable layerTable(const Graph& graph)
{
    return unconverted(graph, {}, {});
}

std::optional<double> measuredError(const NodeCheck& check, NodeId node)
{
    if (node.index >= check.worst.size() || !check.worst[node.index]) {
        return std::nullopt;
    }
    return check.values[*check.worst[node.index]].comparison.maxAbsolute;
}

std::string layersCsv(const Graph& graph, const LayerTable& table, const NodeCheck* check,
                      std::span<const std::optional<double>> latencies)
{
    const NodeNames names(graph);
    std::string text = "name,operator,type,shape,parameters,bytes,multiply_adds,verdict";
    text += check != nullptr ? ",error" : "";
    text += latencies.empty() ? "" : ",latency";
    text += ",counted_at\n";
    for (const LayerRow& row : table.rows) {
        const TensorType& output = row.output;
        text += fmt::format("{},{},{},{},{},{},{},{}", csvField(names.of(row.node)), csvField(graph.node(row.node).op),
                            output.element == ElementType::Undefined ? "" : elementTypeName(output.element),
                            output.shape ? csvField(readableShape(*output.shape)) : "", row.weights.elements,
                            row.weights.bytes, row.multiplyAdds ? std::to_string(*row.multiplyAdds) : "",
                            row.verdict ? verdictName(*row.verdict) : "");
        if (check != nullptr) {
            const auto error = measuredError(*check, row.node);
            text += error ? fmt::format(",{}", *error) : ",";
        }
        if (!latencies.empty()) {
            const auto& latency = latencies[row.node.index];
            text += latency ? fmt::format(",{}", *latency) : ",";
        }
        text += row.countedAt ? fmt::format(",{}\n", csvField(names.of(row.countedAt))) : ",\n";
    }
    return text;
}

std::string weightsCsv(const Graph& graph, const std::vector<bool>& needed)
{
    std::string text = "name,type,shape,parameters,bytes\n";
    visitParameters(graph, needed, [&](const std::string& name, const Tensor& tensor) {
        text += fmt::format("{},{},{},{},{}\n", csvField(name), elementTypeName(tensor.type()),
                            csvField(readableShape(shapeOf(tensor.dims()))), tensor.elements(), tensor.bytes());
    });
    return text;
}

} // namespace crosswalk
