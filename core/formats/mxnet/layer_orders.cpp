#include "core/formats/mxnet/layer_orders.h"

#include "core/formats/mxnet/natural_order.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

const WeightWant& firstWant(const GraphLayer& layer)
{
    return *layer.wants.begin()->second;
}

/// Sorts layers whose names differ only in numbers by these numbers, within the positions that they occupy.
LayerOrder sortedByNumbers(const std::vector<GraphLayer>& layers)
{
    std::map<std::string, LayerOrder> groups;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        groups[withoutNumbers(layers[i].name)].push_back(i);
    }
    LayerOrder order(layers.size());
    for (const auto& [pattern, places] : groups) {
        LayerOrder sorted = places;
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            return naturalOrder(layers[a].name, layers[b].name) < 0;
        });
        for (std::size_t i = 0; i < places.size(); ++i) {
            order[places[i]] = sorted[i];
        }
    }
    return order;
}

bool isAuxiliary(const GraphLayer& layer)
{
    return firstWant(layer).slotKind == OperandKind::Auxiliary;
}

} // namespace

std::vector<LayerOrder> possibleOrders(const std::vector<GraphLayer>& layers)
{
    LayerOrder graphOrder(layers.size());
    std::iota(graphOrder.begin(), graphOrder.end(), std::size_t{0});
    std::vector<LayerOrder> orders = {graphOrder, sortedByNumbers(layers)};
    const bool nameless = !layers.empty() && layers.front().wants.begin()->first.empty();
    for (std::size_t i = 0; i < 2 && nameless; ++i) {
        LayerOrder split = orders[i];
        std::stable_partition(split.begin(), split.end(),
                              [&](std::size_t layer) { return !isAuxiliary(layers[layer]); });
        orders.push_back(std::move(split));
    }
    return orders;
}

bool numbersAscend(const std::vector<FileLayer>& layers)
{
    std::map<std::string, std::string_view> last;
    for (const FileLayer& layer : layers) {
        const auto [previous, isNew] = last.try_emplace(withoutNumbers(layer.name), layer.name);
        if (!isNew && naturalOrder(previous->second, layer.name) > 0) {
            return false;
        }
        previous->second = layer.name;
    }
    return true;
}

OrderFacts::OrderFacts(const Graph& graph, const std::vector<GraphLayer>& layers)
    : m_graph(graph)
    , m_layers(layers)
{
    for (const GraphLayer& layer : layers) {
        m_patterns.push_back(withoutNumbers(layer.name));
    }
}

bool OrderFacts::haveOrder(std::size_t a, std::size_t b) const
{
    const WeightWant& first = firstWant(m_layers[a]);
    const WeightWant& second = firstWant(m_layers[b]);
    // The matched order determines the positions of auxiliary states.
    if (m_patterns[a] == m_patterns[b] || first.reader == second.reader ||
        isAuxiliary(m_layers[a]) != isAuxiliary(m_layers[b])) {
        return true;
    }
    return depends(std::min(first.reader, second.reader), std::max(first.reader, second.reader));
}

bool OrderFacts::depends(NodeId from, NodeId to) const
{
    auto& dependent = m_dependent[from];
    if (dependent.empty()) {
        dependent.resize(m_graph.nodeCount());
        dependent[from.index] = true;
        for (std::uint32_t i = from.index + 1; i < m_graph.nodeCount(); ++i) {
            const auto& inputs = m_graph.node(NodeId{i}).inputs;
            dependent[i] = std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
                const NodeId producer = m_graph.value(input).producer;
                return producer && dependent[producer.index];
            });
        }
    }
    return dependent[to.index];
}

} // namespace crosswalk::mxnet
