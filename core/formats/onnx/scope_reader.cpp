#include "core/formats/onnx/scope_reader.h"

#include "core/base/diagnostic.h"
#include "core/onnx/tensor_record.h"

#include <fmt/format.h>

namespace crosswalk {

ScopeReader::ScopeReader(std::shared_ptr<const void> owner, const ::onnx::GraphProto& proto, ScopeReader* outer,
                         ScopeOrders* orders)
    : m_owner(std::move(owner))
    , m_proto(proto)
    , m_outer(outer)
    , m_orders(orders)
{
}

Graph ScopeReader::read(const std::vector<Tensor>* weights)
{
    m_graph.format = "onnx";
    m_graph.name = m_proto.name();
    const auto nodeCount = static_cast<std::size_t>(m_proto.node_size());
    const std::size_t valueCount = nodeCount + static_cast<std::size_t>(m_proto.initializer_size());
    m_graph.reserve(nodeCount, valueCount);
    m_values.reserve(valueCount);
    addStored(weights);
    addInputs();
    addNodeOutputs();
    addTypes();

    std::vector<Node> nodes;
    nodes.reserve(nodeCount);
    for (int i = 0; i < m_proto.node_size(); ++i) {
        nodes.push_back(nodeOf(i));
    }
    std::vector<int> order;
    if (!isSorted(nodes)) {
        order = sorted(nodes);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[order.empty() ? i : static_cast<std::size_t>(order[i])];
        for (const ValueId output : node.outputs) {
            m_graph.value(output).producer = NodeId{static_cast<std::uint32_t>(i)};
        }
        m_graph.addNode(std::move(node));
    }
    if (m_orders != nullptr && !order.empty()) {
        m_orders->emplace_back(&m_proto, std::move(order));
    }
    addOutputs();
    return std::move(m_graph);
}

std::string ScopeReader::label(int node) const
{
    const auto& proto = m_proto.node(node);
    return proto.name().empty() ? fmt::format("{}#{}", proto.op_type(), node) : proto.name();
}

void ScopeReader::fail(int node, std::string message) const
{
    Diagnostic problem{.code = "damaged", .message = std::move(message)};
    if (node >= 0) {
        problem.node = label(node);
        problem.op = m_proto.node(node).op_type();
    }
    throw ModelError(std::move(problem));
}

ValueId ScopeReader::declare(const std::string& name, Value value)
{
    const ValueId id = m_graph.addValue(std::move(value));
    m_makers.push_back(-1);
    if (!name.empty() && !m_values.emplace(name, id).second) {
        return {};
    }
    return id;
}

void ScopeReader::addStored(const std::vector<Tensor>* weights)
{
    for (int i = 0; i < m_proto.initializer_size(); ++i) {
        const auto& stub = m_proto.initializer(i);
        Tensor tensor = weights != nullptr ? (*weights)[static_cast<std::size_t>(i)] : tensorOf(m_owner, stub);
        if (stub.name().empty()) {
            fail(-1, "a stored tensor has no name");
        }
        Value value{.name = stub.name(), .type = {tensor.type(), shapeOf(tensor.dims())}};
        value.tensor = m_graph.addTensor(std::move(tensor));
        if (!declare(stub.name(), std::move(value))) {
            fail(-1, fmt::format("value {} is stored twice", stub.name()));
        }
    }
    for (const auto& sparse : m_proto.sparse_initializer()) {
        Value value{.name = sparse.values().name(), .role = Role::Parameter};
        value.type.element = static_cast<ElementType>(sparse.values().data_type());
        value.type.shape = shapeOf({sparse.dims().begin(), sparse.dims().end()});
        if (!declare(sparse.values().name(), std::move(value))) {
            fail(-1, fmt::format("value {} is stored twice", sparse.values().name()));
        }
    }
}

void ScopeReader::addInputs()
{
    for (const auto& input : m_proto.input()) {
        const auto stored = m_values.find(input.name());
        if (stored != m_values.end() && m_graph.value(stored->second).tensor) {
            continue; // before IR version 4 every weight was listed as an input; it is no more one than others
        }
        const ValueId id = declare(input.name(), {.name = input.name(), .type = fromProto(input.type())});
        if (input.name().empty() || !id) {
            fail(-1, fmt::format("input '{}' has no name of its own", input.name()));
        }
        m_graph.inputs.push_back(id);
    }
}

void ScopeReader::addNodeOutputs()
{
    m_nextOutput = static_cast<std::uint32_t>(m_graph.valueCount());
    for (int i = 0; i < m_proto.node_size(); ++i) {
        const auto& node = m_proto.node(i);
        for (int k = 0; k < node.output_size(); ++k) {
            const std::string& name = node.output(k);
            if (!declare(name, {.name = name, .producerOutput = static_cast<std::uint32_t>(k)})) {
                fail(i, fmt::format("value {} is made twice", name));
            }
            m_makers.back() = i;
        }
    }
}

void ScopeReader::addTypes()
{
    const auto add = [&](const ::onnx::ValueInfoProto& info) {
        const auto entry = m_values.find(info.name());
        if (entry != m_values.end() && !m_graph.value(entry->second).tensor) {
            m_graph.value(entry->second).type = fromProto(info.type());
        }
    };
    for (const auto& info : m_proto.value_info()) {
        add(info);
    }
    for (const auto& info : m_proto.output()) {
        add(info);
    }
}

void ScopeReader::addOutputs()
{
    for (const auto& output : m_proto.output()) {
        const ValueId id = resolve(output.name());
        if (!id) {
            fail(-1, fmt::format("nothing makes the output {}", output.name()));
        }
        m_graph.outputs.push_back(id);
    }
}

ValueId ScopeReader::resolve(const std::string& name)
{
    // Most nodes read what the node before them made, and stored tensors in the order in which they are stored.
    const auto isNamed = [&](std::uint32_t index) {
        return index < m_graph.valueCount() && m_graph.value(ValueId{index}).name == name;
    };
    if (isNamed(m_nextStored)) {
        return ValueId{m_nextStored++};
    }
    if (isNamed(m_nextOutput - 1)) {
        return ValueId{m_nextOutput - 1};
    }
    if (const auto entry = m_values.find(name); entry != m_values.end()) {
        m_nextStored = m_graph.value(entry->second).tensor ? entry->second.index + 1 : m_nextStored;
        return entry->second;
    }
    const ValueId outer = m_outer != nullptr ? m_outer->resolve(name) : ValueId{};
    if (!outer) {
        return {};
    }
    const ValueId inner = declare(name, {.name = name, .type = m_outer->m_graph.value(outer).type});
    m_graph.captures.push_back({inner, outer});
    return inner;
}

Node ScopeReader::nodeOf(int index)
{
    const auto& proto = m_proto.node(index);
    Node node{.op = proto.op_type(), .domain = proto.domain() == "ai.onnx" ? std::string() : proto.domain()};
    node.name = proto.name();
    node.inputs.reserve(static_cast<std::size_t>(proto.input_size()));
    for (const std::string& name : proto.input()) {
        const ValueId input = name.empty() ? ValueId{} : resolve(name);
        if (!input && !name.empty()) {
            fail(index, fmt::format("it reads value {}, which nothing makes", name));
        }
        node.inputs.push_back(input);
    }
    // Outputs were declared in the order of the nodes, so those of one node stand in a row.
    node.outputs.reserve(static_cast<std::size_t>(proto.output_size()));
    for (int k = 0; k < proto.output_size(); ++k) {
        node.outputs.push_back(ValueId{m_nextOutput++});
    }
    node.attributes.reserve(static_cast<std::size_t>(proto.attribute_size()));
    for (const auto& attribute : proto.attribute()) {
        node.attributes.push_back({attribute.name(), attributeOf(index, attribute)});
    }
    return node;
}

} // namespace crosswalk
