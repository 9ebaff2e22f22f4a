#include "core/graph/graph_rewriter.h"

#include "core/graph/attribute_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <limits>

namespace crosswalk {

GraphRewriter::GraphRewriter(const Graph& source, std::string identity)
    : m_graph(source)
    , m_identity(std::move(identity))
    , m_sourceNodes(source.nodeCount())
    , m_sourceValues(source.valueCount())
    , m_current(source.valueCount())
{
    for (std::uint32_t i = 0; i < m_current.size(); ++i) {
        m_current[i] = ValueId{i};
    }
    for (std::uint32_t i = 0; i < m_sourceNodes; ++i) {
        if (Node& node = m_graph.node(NodeId{i}); node.origins.empty()) {
            node.origins.push_back({{}, NodeId{i}});
        }
    }
}

ValueId GraphRewriter::current(ValueId value) const
{
    while (value && m_current[value.index] != value) {
        value = m_current[value.index];
    }
    return value;
}

const Node* GraphRewriter::producerNode(ValueId value) const
{
    const NodeId id = producer(value);
    return id ? &m_graph.node(id) : nullptr;
}

const Node* GraphRewriter::from(std::string_view op, ValueId value) const
{
    const Node* node = producerNode(value);
    return node != nullptr && node->op == op && node->outputs[0] == current(value) ? node : nullptr;
}

ValueIds GraphRewriter::add(std::string_view op, ValueIds inputs, std::vector<Attribute> attributes,
                            std::size_t outputs, const std::string& name)
{
    constexpr AttributeTextStyle whole{.mostItems = std::numeric_limits<std::size_t>::max(),
                                       .longestText = std::numeric_limits<std::size_t>::max()};
    std::string key = fmt::format("{}/{}", op, outputs);
    for (ValueId& input : inputs) {
        input = current(input);
        key += fmt::format(" {}", input.index);
    }
    for (const Attribute& attribute : attributes) {
        key += fmt::format(" {}={}:{}", attribute.name, attribute.value.index(),
                           attributeText(attribute.value, m_graph, whole));
    }
    // Different values can have one text, such as numbers that differ in the last digits.
    std::vector<NodeId>& alike = m_added[key];
    const auto known =
        std::ranges::find_if(alike, [&](NodeId node) { return m_graph.node(node).attributes == attributes; });
    if (known != alike.end()) {
        return m_graph.node(*known).outputs;
    }
    const auto index = static_cast<std::uint32_t>(m_graph.nodeCount());
    const std::string nodeName = name.empty() ? fmt::format("{}#{}", op, index) : name;
    const NodeId node = m_graph.addNode(
        {.op = std::string(op), .name = nodeName, .inputs = std::move(inputs), .attributes = std::move(attributes)});
    alike.push_back(node);
    for (std::size_t i = 0; i < outputs; ++i) {
        m_current.push_back(m_graph.addOutput(node, i == 0 ? nodeName : fmt::format("{}/{}", nodeName, i)));
    }
    return m_graph.node(node).outputs;
}

ValueId GraphRewriter::addWeight(std::string name, Tensor tensor)
{
    const TensorType type{tensor.type(), shapeOf(tensor.dims())};
    const TensorId stored = m_graph.addTensor(std::move(tensor));
    m_current.push_back(
        m_graph.addValue({.name = std::move(name), .type = type, .tensor = stored, .role = Role::Parameter}));
    return m_current.back();
}

void GraphRewriter::replace(ValueId old, ValueId by)
{
    assert(current(by) != current(old));
    m_current[current(old).index] = current(by);
}

void GraphRewriter::setInputs(NodeId node, ValueIds inputs)
{
    m_graph.node(node).inputs = std::move(inputs);
}

void GraphRewriter::addAttribute(NodeId node, Attribute attribute)
{
    m_graph.node(node).attributes.push_back(std::move(attribute));
}

void GraphRewriter::addOrigins(ValueId value, std::span<const NodeId> nodes)
{
    if (const NodeId node = producer(value)) {
        std::vector<NodeRef>& origins = m_graph.node(node).origins;
        for (const NodeId id : nodes) {
            const std::vector<NodeRef> added = m_graph.node(id).origins;
            origins.insert(origins.end(), added.begin(), added.end());
        }
    }
}

/// Depth first from the outputs: every producer before its consumers.
std::vector<NodeId> GraphRewriter::order() const
{
    std::vector<NodeId> sorted;
    std::vector<char> seen(m_graph.nodeCount());
    std::vector<std::pair<NodeId, std::size_t>> path; // a node, and the number of its visited inputs
    const auto enterNode = [&](NodeId node) {
        if (node && seen[node.index] == 0) {
            seen[node.index] = 1;
            path.emplace_back(node, 0);
        }
    };
    const auto enter = [&](ValueId value) { enterNode(producer(value)); };
    std::vector<NodeId> roots;
    for (const ValueId output : m_graph.outputs) {
        roots.push_back(producer(output));
    }
    roots.insert(roots.end(), m_kept.begin(), m_kept.end());
    for (const NodeId root : roots) {
        enterNode(root);
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

/// The live nodes, in the source's order if that is topological, so that a pass that changes little preserves the order
/// of the exported nodes.
std::vector<NodeId> GraphRewriter::neededOrder() const
{
    std::vector<NodeId> depthFirst = order();
    std::vector<NodeId> byIndex = depthFirst;
    std::sort(byIndex.begin(), byIndex.end());
    for (const NodeId id : byIndex) {
        for (const ValueId input : m_graph.node(id).inputs) {
            if (const NodeId from = producer(input); from && from >= id) {
                return depthFirst;
            }
        }
    }
    return byIndex;
}

std::vector<bool> GraphRewriter::neededNodes() const
{
    std::vector<bool> needed(m_graph.nodeCount());
    for (const NodeId id : order()) {
        needed[id.index] = true;
    }
    return needed;
}

bool GraphRewriter::dependsOn(std::span<const ValueId> values, const NodeSet& nodes) const
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

void GraphRewriter::keepOutputNames()
{
    for (ValueId& output : m_graph.outputs) {
        if (const ValueId made = current(output); made != output) {
            const NodeId replaced = m_graph.value(output).producer;
            output = add(m_identity, {made}, {}, 1, m_graph.value(output).name).front();
            Node& kept = m_graph.node(m_graph.value(output).producer);
            if (replaced && kept.origins.empty()) {
                kept.origins = m_graph.node(replaced).origins;
            }
        }
    }
}

/// Adds the origins of each dropped node to the node whose output replaces its output, or to the node from which that
/// output is computed.
void GraphRewriter::adoptOrigins(const std::vector<bool>& isKept)
{
    for (std::uint32_t i = 0; i < m_sourceNodes; ++i) {
        for (ValueId result : m_graph.node(NodeId{i}).outputs) {
            if (isKept[i] || current(result) == result) {
                continue;
            }
            NodeId made = producer(result);
            while (made && made.index >= m_sourceNodes && !isKept[made.index]) {
                result = input(m_graph.node(made), 0);
                made = producer(result);
            }
            if (made) {
                addOrigins(result, std::array{NodeId{i}});
            }
        }
    }
}

/// Added nodes that replace none come from the first node that reads them, or else from those that they read.
void GraphRewriter::inheritOrigins(const std::vector<NodeId>& kept)
{
    std::vector<bool> hasOwn(m_graph.nodeCount());
    for (const NodeId id : kept) {
        hasOwn[id.index] = !m_graph.node(id).origins.empty();
    }
    for (auto reader = kept.rbegin(); reader != kept.rend(); ++reader) {
        for (const ValueId read : m_graph.node(*reader).inputs) {
            const NodeId made = producer(read);
            if (made && !hasOwn[made.index] && !m_graph.node(*reader).origins.empty()) {
                m_graph.node(made).origins = m_graph.node(*reader).origins;
            }
        }
    }
    for (const NodeId id : kept) {
        for (const ValueId read : m_graph.node(id).inputs) {
            if (const NodeId made = producer(read); made && m_graph.node(id).origins.empty()) {
                m_graph.node(id).origins = m_graph.node(made).origins;
            }
        }
    }
}

GraphRewriter::Result GraphRewriter::finish()
{
    keepOutputNames();
    const std::vector<NodeId> kept = neededOrder();
    std::vector<bool> isKept(m_graph.nodeCount());
    for (const NodeId id : kept) {
        isKept[id.index] = true;
    }
    adoptOrigins(isKept);
    inheritOrigins(kept);

    Result result;
    Graph& graph = result.graph;
    graph.format = m_graph.format;
    graph.producer = m_graph.producer;
    graph.version = m_graph.version;
    graph.name = m_graph.name;
    graph.metadata = m_graph.metadata;
    graph.subgraphs = m_graph.subgraphs;
    graph.original = m_graph.original;
    graph.budget = m_graph.budget;
    for (std::uint32_t i = 0; i < m_graph.tensorCount(); ++i) {
        graph.addTensor(m_graph.tensor(TensorId{i}));
    }
    graph.reserve(kept.size(), m_graph.valueCount());
    ValueIds copies(m_graph.valueCount());
    for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
        const Value& value = m_graph.value(ValueId{i});
        if (!value.producer || isKept[value.producer.index]) {
            copies[i] = graph.addValue(value);
        }
    }
    const auto copyOf = [&](ValueId value) { return value ? copies[current(value).index] : value; };
    const auto copied = [&](ValueIds values) {
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
            output = copies[output.index]; // the node's own output, even if it was replaced
        }
        assert(!node.origins.empty());
        std::sort(node.origins.begin(), node.origins.end());
        node.origins.erase(std::unique(node.origins.begin(), node.origins.end()), node.origins.end());
        const ValueIds outputs = node.outputs;
        const NodeId added = graph.addNode(std::move(node));
        for (const ValueId output : outputs) {
            graph.value(output).producer = added;
        }
    }
    return result;
}

} // namespace crosswalk
