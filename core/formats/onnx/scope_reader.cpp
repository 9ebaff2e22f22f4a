#include "core/formats/onnx/scope_reader.h"

#include "core/base/diagnostic.h"
#include "core/onnx/opsets.h"

#include <fmt/format.h>

namespace crosswalk {

ScopeReader::ScopeReader(ScopeSource& source, ScopeReader* outer, ScopeOrders* orders)
    : m_source(source)
    , m_frame(source.frame())
    , m_outer(outer)
    , m_orders(orders)
{
}

Graph ScopeReader::read()
{
    m_graph.format = "onnx";
    m_graph.name = m_frame.name();
    const auto nodeCount = static_cast<std::size_t>(m_source.nodeCount());
    const auto storedCount = static_cast<std::size_t>(m_source.storedCount());
    const std::size_t valueCount = nodeCount + storedCount + static_cast<std::size_t>(m_frame.input_size());
    m_graph.reserve(nodeCount, valueCount, storedCount);
    m_values.reserve(valueCount);
    m_makers.reserve(valueCount);
    addStored();
    addInputs();
    addNodeOutputs();
    addTypes();

    std::vector<Node> nodes;
    nodes.reserve(nodeCount);
    for (int i = 0; i < m_source.nodeCount(); ++i) {
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
        m_orders->emplace_back(&m_frame, std::move(order));
    }
    addOutputs();
    return std::move(m_graph);
}

std::string ScopeReader::label(int node) const
{
    const auto& proto = m_source.node(node);
    return proto.name().empty() ? fmt::format("{}#{}", proto.op_type(), node) : proto.name();
}

void ScopeReader::fail(int node, std::string message) const
{
    Diagnostic problem{.code = "damaged", .message = std::move(message)};
    if (node >= 0) {
        problem.node = label(node);
        problem.op = m_source.node(node).op_type();
    }
    throw ModelError(std::move(problem));
}

ValueId ScopeReader::declare(Value value)
{
    const bool isNamed = !value.name.empty();
    const ValueId id = m_graph.addValue(std::move(value));
    m_makers.push_back(-1);
    return isNamed && !m_values.add(id) ? ValueId() : id;
}

void ScopeReader::addStored()
{
    for (int i = 0; i < m_source.storedCount(); ++i) {
        auto [name, tensor] = m_source.stored(i);
        if (name.empty()) {
            fail(-1, "a stored tensor has no name");
        }
        Value value{.name = name, .type = {tensor.type(), shapeOf(tensor.dims())}};
        value.tensor = m_graph.addTensor(std::move(tensor));
        if (!declare(std::move(value))) {
            fail(-1, fmt::format("value {} is stored twice", name));
        }
    }
    for (const auto& sparse : m_frame.sparse_initializer()) {
        Value value{.name = sparse.values().name(), .role = Role::Parameter};
        value.type.element = static_cast<ElementType>(sparse.values().data_type());
        value.type.shape = shapeOf({sparse.dims().begin(), sparse.dims().end()});
        if (!declare(std::move(value))) {
            fail(-1, fmt::format("value {} is stored twice", sparse.values().name()));
        }
    }
}

void ScopeReader::addInputs()
{
    for (const auto& input : m_frame.input()) {
        const ValueId stored = m_values.find(input.name());
        if (stored && m_graph.value(stored).tensor) {
            continue; // before IR version 4 every weight was listed as an input; it is not an input in the usual sense
        }
        const ValueId id = declare({.name = input.name(), .type = valueTypeOf(input.type())});
        if (input.name().empty() || !id) {
            fail(-1, fmt::format("the name of input '{}' is not unique", input.name()));
        }
        m_graph.inputs.push_back(id);
    }
}

void ScopeReader::addNodeOutputs()
{
    m_nextOutput = static_cast<std::uint32_t>(m_graph.valueCount());
    for (int i = 0; i < m_source.nodeCount(); ++i) {
        std::uint32_t output = 0;
        m_source.forEachOutput(i, [&](std::string name) {
            const ValueId id = declare({.name = std::move(name), .producerOutput = output++});
            m_makers.back() = i;
            if (!id) {
                fail(i, fmt::format("value {} is produced twice", m_graph.values().back().name));
            }
        });
    }
}

void ScopeReader::addTypes()
{
    const auto add = [&](const ::onnx::ValueInfoProto& info) {
        const ValueId value = m_values.find(info.name());
        if (value && !m_graph.value(value).tensor) {
            m_graph.value(value).type = valueTypeOf(info.type());
        }
    };
    m_source.forEachType(add);
    for (const auto& info : m_frame.output()) {
        add(info);
    }
}

void ScopeReader::addOutputs()
{
    for (const auto& output : m_frame.output()) {
        const ValueId id = resolve(output.name());
        if (!id) {
            fail(-1, fmt::format("no node produces the output {}", output.name()));
        }
        m_graph.outputs.push_back(id);
    }
}

ValueId ScopeReader::resolve(const std::string& name)
{
    // Most nodes read the result of the preceding node, and stored tensors in storage order.
    const auto isNamed = [&](std::uint32_t index) {
        return index < m_graph.valueCount() && m_graph.value(ValueId{index}).name == name;
    };
    if (isNamed(m_nextStored)) {
        return ValueId{m_nextStored++};
    }
    if (isNamed(m_nextOutput - 1)) {
        return ValueId{m_nextOutput - 1};
    }
    if (const ValueId known = m_values.find(name)) {
        m_nextStored = m_graph.value(known).tensor ? known.index + 1 : m_nextStored;
        return known;
    }
    const ValueId outer = m_outer != nullptr ? m_outer->resolve(name) : ValueId{};
    if (!outer) {
        return {};
    }
    const ValueId inner = declare({.name = name, .type = m_outer->m_graph.value(outer).type});
    m_graph.captures.push_back({inner, outer});
    return inner;
}

Node ScopeReader::nodeOf(int index)
{
    const auto& proto = m_source.node(index);
    Node node{.op = proto.op_type(), .domain = isOnnxDomain(proto.domain()) ? std::string() : proto.domain()};
    node.name = proto.name();
    node.inputs.reserve(static_cast<std::size_t>(proto.input_size()));
    for (const std::string& name : proto.input()) {
        const ValueId input = name.empty() ? ValueId{} : resolve(name);
        if (!input && !name.empty()) {
            fail(index, fmt::format("it reads value {}, which no node produces", name));
        }
        node.inputs.push_back(input);
    }
    // Outputs were declared in the order of the nodes, so those of one node are consecutive.
    node.outputs.reserve(static_cast<std::size_t>(proto.output_size()));
    for (int k = 0; k < proto.output_size(); ++k) {
        if (m_nextOutput >= m_makers.size() || m_makers[m_nextOutput] != index) {
            throw ModelError("unreadable", "the file has changed since it was opened", "open it again");
        }
        node.outputs.push_back(ValueId{m_nextOutput++});
    }
    node.attributes.reserve(static_cast<std::size_t>(proto.attribute_size()));
    for (const auto& attribute : proto.attribute()) {
        node.attributes.push_back({attribute.name(), attributeOf(index, attribute)});
    }
    return node;
}

} // namespace crosswalk
