#include "core/formats/mxnet/reroll/rewriting.h"

#include "core/formats/mxnet/symbol_attributes.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::mxnet {

Rewriting::Rewriting(const Graph& source)
    : m_graph(source)
    , m_sourceNodes(source.nodeCount())
    , m_sourceValues(source.valueCount())
    , m_now(source.valueCount())
    , m_origins(source.nodeCount())
{
    for (std::uint32_t i = 0; i < m_now.size(); ++i) {
        m_now[i] = ValueId{i};
    }
    for (std::uint32_t i = 0; i < m_origins.size(); ++i) {
        m_origins[i] = {NodeId{i}};
    }
}

ValueId Rewriting::now(ValueId value) const
{
    while (value && m_now[value.index] != value) {
        value = m_now[value.index];
    }
    return value;
}

const Node* Rewriting::producerNode(ValueId value) const
{
    const NodeId id = producer(value);
    return id ? &m_graph.node(id) : nullptr;
}

const Node* Rewriting::from(std::string_view op, ValueId value) const
{
    const Node* node = producerNode(value);
    return node != nullptr && node->op == op && node->outputs[0] == now(value) ? node : nullptr;
}

std::vector<ValueId> Rewriting::add(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                                    std::size_t outputs, const std::string& name)
{
    std::string key = fmt::format("{}/{}", op, outputs);
    for (ValueId& input : inputs) {
        input = now(input);
        key += fmt::format(" {}", input.index);
    }
    for (const Attribute& attribute : attributes) {
        key += fmt::format(" {}={}", attribute.name, std::get<std::string>(attribute.value));
    }
    const auto [known, isNew] = m_added.try_emplace(key);
    if (isNew) {
        const auto index = static_cast<std::uint32_t>(m_graph.nodeCount());
        const std::string called = name.empty() ? fmt::format("{}#{}", op, index) : name;
        known->second = m_graph.addNode(
            {.op = std::string(op), .name = called, .inputs = std::move(inputs), .attributes = std::move(attributes)});
        for (std::size_t i = 0; i < outputs; ++i) {
            m_now.push_back(m_graph.addOutput(known->second, i == 0 ? called : fmt::format("{}/{}", called, i)));
        }
        m_origins.emplace_back();
    }
    return m_graph.node(known->second).outputs;
}

ValueId Rewriting::addWeight(std::string name, Tensor tensor)
{
    const TensorType type{tensor.type(), shapeOf(tensor.dims())};
    const TensorId stored = m_graph.addTensor(std::move(tensor));
    m_now.push_back(
        m_graph.addValue({.name = std::move(name), .type = type, .tensor = stored, .role = Role::Parameter}));
    return m_now.back();
}

void Rewriting::replace(ValueId old, ValueId by)
{
    assert(now(by) != now(old));
    m_now[now(old).index] = now(by);
}

void Rewriting::comesFrom(ValueId value, std::span<const NodeId> nodes)
{
    if (const NodeId node = producer(value)) {
        std::vector<NodeId>& origins = m_origins[node.index];
        origins.insert(origins.end(), nodes.begin(), nodes.end());
    }
}

std::vector<NodeId> Rewriting::order() const
{
    std::vector<NodeId> sorted;
    std::vector<char> seen(m_graph.nodeCount());
    std::vector<std::pair<NodeId, std::size_t>> path; // a node, and how many of its inputs are done
    const auto enter = [&](ValueId value) {
        const NodeId node = producer(value);
        if (node && seen[node.index] == 0) {
            seen[node.index] = 1;
            path.emplace_back(node, 0);
        }
    };
    for (const ValueId output : m_graph.outputs) {
        enter(output);
        while (!path.empty()) {
            const NodeId id = path.back().first;
            const Node& node = m_graph.node(id);
            if (path.back().second < node.inputs.size()) {
                enter(node.inputs[path.back().second++]);
            } else {
                sorted.push_back(id);
                path.pop_back();
            }
        }
    }
    return sorted;
}

std::vector<bool> Rewriting::neededNodes() const
{
    std::vector<bool> needed(m_graph.nodeCount());
    for (const NodeId id : order()) {
        needed[id.index] = true;
    }
    return needed;
}

bool Rewriting::dependsOn(std::span<const ValueId> values, const NodeSet& nodes) const
{
    std::vector<char> seen(m_graph.nodeCount());
    std::vector<NodeId> open;
    const auto enter = [&](ValueId value) {
        const NodeId node = producer(value);
        if (node && seen[node.index] == 0) {
            seen[node.index] = 1;
            open.push_back(node);
        }
    };
    std::for_each(values.begin(), values.end(), enter);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (nodes.contains(id)) {
            return true;
        }
        const Node& node = m_graph.node(id);
        std::for_each(node.inputs.begin(), node.inputs.end(), enter);
    }
    return false;
}

RewrittenGraph Rewriting::finish()
{
    for (ValueId& output : m_graph.outputs) {
        if (const ValueId made = now(output); made != output) {
            output = add("_copy", {made}, {}, 1, m_graph.value(output).name).front();
        }
    }
    const std::vector<NodeId> kept = order();
    std::vector<bool> isKept(m_graph.nodeCount());
    for (const NodeId id : kept) {
        isKept[id.index] = true;
    }
    // A node that fell away belongs to what stands for its results, or to what that was made of.
    for (std::uint32_t i = 0; i < m_sourceNodes; ++i) {
        for (ValueId result : m_graph.node(NodeId{i}).outputs) {
            if (isKept[i] || now(result) == result) {
                continue;
            }
            NodeId made = producer(result);
            while (made && made.index >= m_sourceNodes && !isKept[made.index]) {
                result = input(m_graph.node(made), 0);
                made = producer(result);
            }
            if (made) {
                m_origins[made.index].push_back(NodeId{i});
            }
        }
    }

    RewrittenGraph result;
    Graph& graph = result.graph;
    graph.format = m_graph.format;
    graph.producer = m_graph.producer;
    graph.version = m_graph.version;
    graph.name = m_graph.name;
    graph.metadata = m_graph.metadata;
    graph.subgraphs = m_graph.subgraphs;
    graph.original = m_graph.original;
    for (std::uint32_t i = 0; i < m_graph.tensorCount(); ++i) {
        graph.addTensor(m_graph.tensor(TensorId{i}));
    }
    std::vector<ValueId> copies(m_graph.valueCount());
    for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
        const Value& value = m_graph.value(ValueId{i});
        if (!value.producer || isKept[value.producer.index]) {
            copies[i] = graph.addValue(value);
        }
    }
    const auto copyOf = [&](ValueId value) { return value ? copies[now(value).index] : value; };
    const auto copied = [&](std::vector<ValueId> values) {
        std::transform(values.begin(), values.end(), values.begin(), copyOf);
        return values;
    };
    graph.inputs = copied(m_graph.inputs);
    graph.outputs = copied(m_graph.outputs);
    for (std::uint32_t i = 0; i < m_sourceValues; ++i) {
        result.standIns.push_back(copyOf(ValueId{i}));
    }
    for (const NodeId id : kept) {
        Node node = m_graph.node(id);
        node.inputs = copied(std::move(node.inputs));
        for (ValueId& output : node.outputs) {
            output = copies[output.index]; // its own, whatever stands for it
        }
        const std::vector<ValueId> outputs = node.outputs;
        const NodeId added = graph.addNode(std::move(node));
        for (const ValueId output : outputs) {
            graph.value(output).producer = added;
        }
        std::vector<NodeId>& origins = m_origins[id.index];
        std::sort(origins.begin(), origins.end(), ByIndex());
        origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
        result.origins.push_back(std::move(origins));
    }
    return result;
}

std::string_view attributeText(const Node& node, std::string_view name, std::string_view fallback)
{
    const auto* text = attributeOf<std::string>(node, name);
    return text != nullptr ? std::string_view(*text) : fallback;
}

std::optional<std::int64_t> attributeInteger(const Node& node, std::string_view name,
                                             std::optional<std::int64_t> fallback)
{
    const std::string_view text = attributeText(node, name, {});
    if (text.empty()) {
        return fallback;
    }
    const auto numbers = integers(text);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

bool attributeFlag(const Node& node, std::string_view name, bool fallback)
{
    const std::string_view text = attributeText(node, name, {});
    return text.empty() ? fallback : text == "1" || text.starts_with('T') || text.starts_with('t');
}

} // namespace crosswalk::mxnet
