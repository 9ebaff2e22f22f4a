#include "core/graph/graph.h"

#include <charconv>

namespace crosswalk {

const AttributeValue* Node::attribute(std::string_view attributeName) const
{
    for (const Attribute& attribute : attributes) {
        if (attribute.name == attributeName) {
            return &attribute.value;
        }
    }
    return nullptr;
}

NodeId Graph::addNode(Node node)
{
    const NodeId id{static_cast<std::uint32_t>(nodeCount())};
    m_nodes.write().push_back(std::move(node));
    return id;
}

ValueId Graph::addValue(Value value)
{
    const ValueId id{static_cast<std::uint32_t>(m_values.size())};
    m_values.push_back(std::move(value));
    return id;
}

ValueId Graph::addOutput(NodeId producer, std::string valueName)
{
    Node& from = node(producer);
    const ValueId id = addValue({.name = std::move(valueName),
                                 .producer = producer,
                                 .producerOutput = static_cast<std::uint32_t>(from.outputs.size())});
    from.outputs.push_back(id);
    return id;
}

TensorId Graph::addTensor(Tensor tensor)
{
    const TensorId id{static_cast<std::uint32_t>(tensorCount())};
    m_tensors.write().push_back(std::move(tensor));
    return id;
}

SubgraphId Graph::addSubgraph(std::shared_ptr<const Graph> subgraph)
{
    const SubgraphId id{static_cast<std::uint32_t>(subgraphs.size())};
    subgraphs.push_back(std::move(subgraph));
    return id;
}

void Graph::reserve(std::size_t nodes, std::size_t values, std::size_t tensors)
{
    m_nodes.write().reserve(nodes);
    m_values.reserve(values);
    m_tensors.write().reserve(tensors);
}

const Tensor* Graph::tensorOf(ValueId id) const
{
    const TensorId stored = value(id).tensor;
    return stored ? &tensor(stored) : nullptr;
}

std::optional<ValueId> Graph::findInput(std::string_view inputName) const
{
    for (const ValueId id : inputs) {
        if (value(id).name == inputName) {
            return id;
        }
    }
    return std::nullopt;
}

const Graph* Graph::findFunction(std::string_view functionName) const
{
    for (const Function& function : functions) {
        if (function.name == functionName) {
            return &subgraph(function.body);
        }
    }
    return nullptr;
}

NodeNames::NodeNames(const Graph& graph)
    : m_graph(graph)
{
    m_byName.reserve(graph.nodeCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const auto [entry, isNew] = m_byName.try_emplace(graph.node(NodeId{i}).name, Entry{NodeId{i}, 0});
        ++entry->second.count;
    }
}

std::string NodeNames::of(NodeId id) const
{
    const Node& node = m_graph.node(id);
    if (node.name.empty()) {
        return node.op + "#" + std::to_string(id.index);
    }
    return m_byName.at(node.name).count > 1 ? node.name + "#" + std::to_string(id.index) : node.name;
}

std::optional<NodeId> NodeNames::find(std::string_view written) const
{
    if (const auto entry = m_byName.find(written); entry != m_byName.end() && !written.empty()) {
        return entry->second.count == 1 ? std::optional(entry->second.first) : std::nullopt;
    }
    const auto mark = written.rfind('#');
    if (mark == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = written.substr(mark + 1);
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || end != digits.data() + digits.size() || index >= m_graph.nodeCount()) {
        return std::nullopt;
    }
    const Node& node = m_graph.node(NodeId{index});
    return (node.name.empty() ? node.op : node.name) == written.substr(0, mark) ? std::optional(NodeId{index})
                                                                                : std::nullopt;
}

const Graph* graphAt(const Graph& model, const GraphPath& path)
{
    const Graph* graph = &model;
    for (const BodyStep& step : path) {
        // The body of a function has no subgraphs; functions that it calls belong to the model.
        const Graph& owner = step.subgraph < graph->subgraphs.size() ? *graph : model;
        if (step.subgraph >= owner.subgraphs.size()) {
            return nullptr;
        }
        graph = owner.subgraphs[step.subgraph].get();
    }
    return graph;
}

Consumers::Consumers(const Graph& graph)
    : m_first(graph.valueCount() + 1)
{
    for (const Node& node : graph.nodes()) {
        for (const ValueId input : node.inputs) {
            if (input) {
                ++m_first[input.index + 1];
            }
        }
    }
    for (std::size_t i = 1; i < m_first.size(); ++i) {
        m_first[i] += m_first[i - 1];
    }
    m_nodes.resize(m_first.back());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        for (const ValueId input : graph.node(NodeId{i}).inputs) {
            if (input) {
                m_nodes[next[input.index]++] = NodeId{i};
            }
        }
    }
}

std::span<const NodeId> Consumers::of(ValueId value) const
{
    const std::uint32_t first = m_first[value.index];
    return std::span(m_nodes).subspan(first, m_first[value.index + 1] - first);
}

} // namespace crosswalk
