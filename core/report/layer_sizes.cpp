#include "core/report/layer_sizes.h"

#include "core/graph/reads.h"
#include "core/layout/constants.h"

#include <algorithm>
#include <set>

namespace crosswalk {
namespace {

class WeightCounter {
public:
    WeightCounter(const Graph& graph, const std::vector<bool>& isStoredAlone)
        : m_graph(graph)
        , m_isStoredAlone(isStoredAlone)
        , m_isCounted(graph.valueCount())
    {
    }

    ParameterCount count(const Node& node)
    {
        ParameterCount sum;
        const auto isStored = [this](ValueId value) { return !value || m_isStoredAlone[value.index]; };
        if (!node.outputs.empty() && std::ranges::all_of(node.outputs, isStored)) {
            return sum;
        }
        forEachRead(m_graph, node, [&](ValueId value) {
            if (m_isStoredAlone[value.index]) {
                for (const ValueId stored : storedBehind(m_graph, m_isStoredAlone, value)) {
                    addStored(sum, stored);
                }
            }
        });
        for (const Attribute& attribute : node.attributes) {
            if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
                addBody(sum, m_graph.subgraph(*body));
            } else if (const auto* bodies = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
                for (const SubgraphId one : *bodies) {
                    addBody(sum, m_graph.subgraph(one));
                }
            }
        }
        return sum;
    }

private:
    void addStored(ParameterCount& sum, ValueId value)
    {
        const Tensor* tensor = parameterOf(m_graph, value);
        if (tensor == nullptr) {
            const Tensor* constant = constantTensor(m_graph, value);
            tensor = constant != nullptr && isWeight(*constant) ? constant : nullptr;
        }
        if (tensor != nullptr && !m_isCounted[value.index]) {
            m_isCounted[value.index] = true;
            ++sum.tensors;
            sum.elements += static_cast<std::uint64_t>(tensor->elements());
            sum.bytes += tensor->bytes();
        }
    }

    void addBody(ParameterCount& sum, const Graph& body)
    {
        if (m_bodies.insert(&body).second) {
            const ParameterCount inner = countParameters(body);
            sum.tensors += inner.tensors;
            sum.elements += inner.elements;
            sum.bytes += inner.bytes;
        }
    }

    const Graph& m_graph;
    const std::vector<bool>& m_isStoredAlone;
    std::vector<bool> m_isCounted; ///< by value
    std::set<const Graph*> m_bodies;
};

} // namespace

std::vector<ParameterCount> weightsByNode(const Graph& graph, const std::vector<bool>& isStoredAlone,
                                          const std::vector<bool>& listed)
{
    WeightCounter counter(graph, isStoredAlone);
    std::vector<ParameterCount> weights(graph.nodeCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        if (listed.empty() || listed[i]) {
            weights[i] = counter.count(graph.node(NodeId{i}));
        }
    }
    return weights;
}

std::vector<LayerSize> layerSizes(const Graph& graph, const std::vector<bool>& isStoredAlone)
{
    const std::vector<ParameterCount> weights = weightsByNode(graph, isStoredAlone);
    std::vector<LayerSize> layers;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        if (weights[i].elements > 0) {
            layers.push_back({NodeId{i}, weights[i]});
        }
    }
    std::ranges::stable_sort(layers, std::ranges::greater(),
                             [](const LayerSize& layer) { return layer.weights.bytes; });
    return layers;
}

} // namespace crosswalk
