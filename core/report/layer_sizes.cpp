#include "core/report/layer_sizes.h"

#include "core/layout/constants.h"

#include <algorithm>
#include <set>

namespace crosswalk {
namespace {

void add(ParameterCount& sum, const Tensor& tensor)
{
    ++sum.tensors;
    sum.elements += static_cast<std::uint64_t>(tensor.elements());
    sum.bytes += tensor.bytes();
}

void addBody(ParameterCount& sum, const Graph& body)
{
    const ParameterCount inner = countParameters(body);
    sum.tensors += inner.tensors;
    sum.elements += inner.elements;
    sum.bytes += inner.bytes;
}

} // namespace

ParameterCount weightsOf(const Graph& graph, const std::vector<bool>& isStoredAlone, NodeId id)
{
    const Node& node = graph.node(id);
    std::set<ValueId> stored;
    for (const ValueId input : node.inputs) {
        if (input && isStoredAlone[input.index]) {
            const auto behind = storedBehind(graph, isStoredAlone, input);
            stored.insert(behind.begin(), behind.end());
        }
    }
    ParameterCount sum;
    for (const ValueId value : stored) {
        const Tensor* tensor = parameterOf(graph, value);
        const Tensor* constant = tensor == nullptr ? constantTensor(graph, value) : nullptr;
        if (tensor != nullptr) {
            add(sum, *tensor);
        } else if (constant != nullptr && isWeight(*constant)) {
            add(sum, *constant);
        }
    }
    for (const Attribute& attribute : node.attributes) {
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            addBody(sum, graph.subgraph(*body));
        } else if (const auto* bodies = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            for (const SubgraphId one : *bodies) {
                addBody(sum, graph.subgraph(one));
            }
        }
    }
    return sum;
}

std::vector<LayerSize> layerSizes(const Graph& graph, const std::vector<bool>& isStoredAlone)
{
    std::vector<LayerSize> layers;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const auto& outputs = graph.node(NodeId{i}).outputs;
        const bool isStored = !outputs.empty() && std::ranges::all_of(outputs, [&](ValueId output) {
            return !output || isStoredAlone[output.index];
        });
        const ParameterCount weights = isStored ? ParameterCount() : weightsOf(graph, isStoredAlone, NodeId{i});
        if (weights.elements > 0) {
            layers.push_back({NodeId{i}, weights});
        }
    }
    std::ranges::stable_sort(layers, std::ranges::greater(),
                             [](const LayerSize& layer) { return layer.weights.bytes; });
    return layers;
}

} // namespace crosswalk
