#include "core/rewrite/opset/node_replacement.h"

#include "core/onnx/external_stubs.h"
#include "core/onnx/node.h"
#include "core/onnx/tensor_record.h"
#include "core/onnx/weights.h"
#include "core/rewrite/constant_results.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

/// Contents are computed recursively; real models compute an axis in a few steps.
constexpr int depthLimit = 64;

void setAttribute(const NodeAttribute& attribute, ::onnx::AttributeProto& proto)
{
    struct Set {
        ::onnx::AttributeProto& proto;
        void operator()(std::int64_t value) const
        {
            proto.set_type(::onnx::AttributeProto::INT);
            proto.set_i(value);
        }
        void operator()(const Ints& values) const
        {
            proto.set_type(::onnx::AttributeProto::INTS);
            proto.mutable_ints()->Add(values.begin(), values.end());
        }
        void operator()(std::string_view value) const
        {
            proto.set_type(::onnx::AttributeProto::STRING);
            proto.set_s(std::string(value));
        }
        void operator()(const ::onnx::GraphProto& body) const
        {
            proto.set_type(::onnx::AttributeProto::GRAPH);
            *proto.mutable_g() = body;
        }
    };
    proto.set_name(std::string(attribute.name));
    std::visit(Set{proto}, attribute.value);
}

void fill(::onnx::NodeProto& node, std::string_view op, const std::vector<std::string>& inputs,
          const std::vector<NodeAttribute>& attributes)
{
    node.set_op_type(std::string(op));
    for (const std::string& input : inputs) {
        node.add_input(input);
    }
    for (const NodeAttribute& attribute : attributes) {
        setAttribute(attribute, *node.add_attribute());
    }
}

} // namespace

KnownValues::KnownValues(const ::onnx::GraphProto& graph, KnownValues* outer)
    : m_outer(outer)
{
    const auto add = [&](const auto& infos) {
        for (const auto& info : infos) {
            m_types[info.name()] = fromProto(info.type());
        }
    };
    for (const auto& stored : graph.initializer()) {
        m_types[stored.name()] = {static_cast<ElementType>(stored.data_type()),
                                  shapeOf({stored.dims().begin(), stored.dims().end()})};
        m_stored[stored.name()] = &stored;
    }
    add(graph.input());
    add(graph.value_info());
    add(graph.output());
    for (const auto& input : graph.input()) {
        m_inputs[input.name()] = true;
    }
    for (const auto& node : graph.node()) {
        for (const std::string& output : node.output()) {
            m_producers[output] = &node;
        }
    }
}

TensorType KnownValues::typeOf(const std::string& name) const
{
    const auto known = m_types.find(name);
    if (known != m_types.end()) {
        return known->second;
    }
    return m_outer != nullptr && !m_producers.contains(name) ? m_outer->typeOf(name) : TensorType{};
}

bool KnownValues::isStoredHere(const std::string& name) const
{
    const auto producer = m_producers.find(name);
    return m_stored.contains(name) || (producer != m_producers.end() && producer->second->op_type() == "Constant" &&
                                       findAttribute(*producer->second, "value") != nullptr);
}

std::optional<Tensor> KnownValues::contentOf(const std::string& name)
{
    if (name.empty() || m_inputs.contains(name)) { // the user can replace the default of an input
        return std::nullopt;
    }
    if (const auto known = m_contents.find(name); known != m_contents.end()) {
        return known->second;
    }
    if (m_depth >= depthLimit) {
        return std::nullopt;
    }
    ++m_depth;
    auto content = compute(name);
    --m_depth;
    return m_contents[name] = std::move(content);
}

std::optional<Tensor> KnownValues::compute(const std::string& name)
{
    if (const auto stored = m_stored.find(name); stored != m_stored.end()) {
        const bool isKnown =
            !isExternalStub(*stored->second) && stored->second->data_type() != ::onnx::TensorProto::STRING;
        return isKnown ? std::optional(tensorOf(nullptr, *stored->second)) : std::nullopt;
    }
    const auto producer = m_producers.find(name);
    if (producer == m_producers.end()) {
        return m_outer != nullptr ? m_outer->contentOf(name) : std::nullopt;
    }
    const ::onnx::NodeProto& node = *producer->second;
    if (!node.domain().empty() || hasBody(node)) {
        return std::nullopt;
    }
    if (node.op_type() == "Constant") {
        return constantValue(node);
    }
    if (node.op_type() == "Size") {
        const auto shape = typeOf(node.input(0)).shape;
        const auto count = shape ? elementCount(*shape) : std::nullopt;
        return count ? std::optional(Tensor::scalar(ElementType::Int64, static_cast<double>(*count))) : std::nullopt;
    }
    std::vector<std::optional<Tensor>> contents;
    std::vector<const Tensor*> inputs;
    contents.reserve(static_cast<std::size_t>(node.input_size()));
    inputs.reserve(contents.capacity());
    for (const std::string& input : node.input()) {
        contents.push_back(contentOf(input));
    }
    for (const auto& content : contents) {
        inputs.push_back(content ? &*content : nullptr);
    }
    const auto results = foldedResults(node, inputs, [this](const std::string& value) { return typeOf(value); });
    for (int i = 0; results && i < node.output_size(); ++i) {
        if (node.output(i) == name && static_cast<std::size_t>(i) < results->size()) {
            return (*results)[static_cast<std::size_t>(i)];
        }
    }
    return std::nullopt;
}

NodeReplacement::NodeReplacement(const ::onnx::NodeProto& node, KnownValues& values, UniqueNames& names, int from,
                                 int to)
    : m_node(node)
    , m_values(values)
    , m_names(names)
    , m_from(from)
    , m_to(to)
{
}

std::string NodeReplacement::input(int index) const
{
    return inputOf(m_node, index);
}

std::optional<std::int64_t> NodeReplacement::rankOf(const std::string& name) const
{
    const auto shape = typeOf(name).shape;
    return shape ? std::optional(static_cast<std::int64_t>(shape->size())) : std::nullopt;
}

::onnx::NodeProto& NodeReplacement::emit(std::string_view op, const Names& inputs, const Attributes& attributes)
{
    ::onnx::NodeProto& node = m_nodes.emplace_back();
    fill(node, op, inputs, attributes);
    return node;
}

std::string NodeReplacement::newName(std::string_view suffix)
{
    const auto& outputs = m_node.output();
    const auto named = std::ranges::find_if(outputs, [](const std::string& name) { return !name.empty(); });
    return m_names.unique(fmt::format("{}/{}", named != outputs.end() ? *named : m_node.name(), suffix));
}

std::string NodeReplacement::add(std::string_view op, const Names& inputs, const Attributes& attributes)
{
    std::string output = newName(op);
    emit(op, inputs, attributes).add_output(output);
    return output;
}

std::string NodeReplacement::addSecond(std::string_view op, const Names& inputs, const Attributes& attributes)
{
    const std::string first = newName(op);
    std::string second = newName(op);
    auto& node = emit(op, inputs, attributes);
    node.add_output(first);
    node.add_output(second);
    return second;
}

std::string NodeReplacement::constant(const Tensor& tensor)
{
    std::string output = add("Constant", {});
    auto& value = *m_nodes.back().add_attribute();
    value.set_name("value");
    value.set_type(::onnx::AttributeProto::TENSOR);
    fillStub(tensor, *value.mutable_t());
    const auto bytes = tensor.toBytes();
    value.mutable_t()->set_raw_data(bytes.data(), bytes.size());
    return output;
}

void NodeReplacement::addLast(std::string_view op, const Names& inputs, const Attributes& attributes)
{
    auto& node = emit(op, inputs, attributes);
    node.set_name(m_node.name());
    *node.mutable_output() = m_node.output();
}

void NodeReplacement::addLast(::onnx::NodeProto node)
{
    m_nodes.push_back(std::move(node));
}

void removeAttribute(::onnx::NodeProto& node, std::string_view name)
{
    auto& attributes = *node.mutable_attribute();
    attributes.erase(
        std::remove_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name() == name; }),
        attributes.end());
}

::onnx::NodeProto& addNode(::onnx::GraphProto& graph, std::string_view op, const std::vector<std::string>& inputs,
                           const std::string& output, const std::vector<NodeAttribute>& attributes)
{
    auto& node = *graph.add_node();
    fill(node, op, inputs, attributes);
    node.add_output(output);
    return node;
}

} // namespace crosswalk
