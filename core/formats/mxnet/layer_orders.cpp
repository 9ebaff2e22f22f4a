#include "core/formats/mxnet/layer_orders.h"

#include "core/formats/mxnet/natural_order.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <numeric>
#include <set>

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
            return std::is_lt(naturalOrder(layers[a].name, layers[b].name));
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

using Words = std::set<std::string_view>;

Words wordsOf(std::string_view name)
{
    constexpr std::string_view separators = "_.0123456789";
    Words words;
    while (!name.empty()) {
        const auto end = std::min(name.find_first_of(separators), name.size());
        if (end > 0) {
            words.insert(name.substr(0, end));
        }
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return words;
}

/// The words of the first name that the second does not have.
Words ownWords(std::string_view name, std::string_view other)
{
    const Words words = wordsOf(name);
    const Words others = wordsOf(other);
    Words own;
    std::set_difference(words.begin(), words.end(), others.begin(), others.end(), std::inserter(own, own.end()));
    return own;
}

bool haveCommonWord(const Words& a, const Words& b)
{
    return std::any_of(a.begin(), a.end(), [&](std::string_view word) { return b.contains(word); });
}

/// Whether a word that only one layer has is in the name of its arrays, and none in the name of the other's.
bool wordsAgree(std::string_view a, std::string_view arraysOfA, std::string_view b, std::string_view arraysOfB)
{
    const Words ownOfA = ownWords(a, b);
    const Words ownOfB = ownWords(b, a);
    const Words arrayWordsOfA = ownWords(arraysOfA, arraysOfB);
    const Words arrayWordsOfB = ownWords(arraysOfB, arraysOfA);
    return (haveCommonWord(ownOfA, arrayWordsOfA) || haveCommonWord(ownOfB, arrayWordsOfB)) &&
           !haveCommonWord(ownOfA, arrayWordsOfB) && !haveCommonWord(ownOfB, arrayWordsOfA);
}

/// The part of a structural name at its start: "features" of "features.0.weight".
std::string_view firstPart(std::string_view name)
{
    return name.substr(0, name.find('.'));
}

/// Whether two structural names part at numbers that ascend, as the children of a sequence do.
bool ascendInSequence(std::string_view a, std::string_view b)
{
    while (!a.empty() && !b.empty() && firstPart(a) == firstPart(b)) {
        a.remove_prefix(std::min(firstPart(a).size() + 1, a.size()));
        b.remove_prefix(std::min(firstPart(b).size() + 1, b.size()));
    }
    return withoutNumbers(firstPart(a)) == "#" && withoutNumbers(firstPart(b)) == "#" &&
           std::is_lt(naturalOrder(firstPart(a), firstPart(b)));
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
        if (!isNew && std::is_gt(naturalOrder(previous->second, layer.name))) {
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

bool OrderFacts::areDistinct(const NamedLayer& a, const NamedLayer& b) const
{
    const GraphLayer& first = m_layers[a.index];
    const GraphLayer& second = m_layers[b.index];
    // The matched order determines the positions of auxiliary states.
    return m_patterns[a.index] == m_patterns[b.index] || firstWant(first).reader == firstWant(second).reader ||
           isAuxiliary(first) != isAuxiliary(second) || wordsAgree(first.name, a.fileName, second.name, b.fileName) ||
           inSequence(a, b);
}

bool OrderFacts::inSequence(const NamedLayer& a, const NamedLayer& b) const
{
    const NodeId readerOfA = firstWant(m_layers[a.index]).reader;
    const NodeId readerOfB = firstWant(m_layers[b.index]).reader;
    return readerOfA < readerOfB ? ascendInSequence(a.fileName, b.fileName) && depends(readerOfA, readerOfB)
                                 : ascendInSequence(b.fileName, a.fileName) && depends(readerOfB, readerOfA);
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
