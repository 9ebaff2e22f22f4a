#include "core/formats/tensorflow/lowering/target_scope.h"

#include <cassert>

namespace crosswalk::tensorflow {
namespace {

/// Complex numbers are stored as operators take them: as pairs (real, imaginary), which become a last axis of two.
Tensor withoutComplex(Tensor content)
{
    if (!isComplex(content.type())) {
        return content;
    }
    Ints dims = content.dims();
    dims.push_back(2);
    const bool isSingle = content.type() == ElementType::Complex64;
    return {isSingle ? ElementType::Float32 : ElementType::Float64, std::move(dims), content.pieces()};
}

} // namespace

TargetScope::TargetScope(TargetScope* parent)
    : m_parent(parent)
{
    graph.format = "tensorflow";
}

std::vector<Lowered> TargetScope::add(Node node, const std::vector<Lowered>& inputs,
                                      const std::vector<ValueType>& types, const std::vector<std::string>& names)
{
    assert(types.size() == names.size());
    for (const Lowered& input : inputs) {
        node.inputs.push_back(input.isTensor() ? use(input) : ValueId{});
    }
    const NodeId id = graph.addNode(std::move(node));
    std::vector<Lowered> outputs;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ValueId value = graph.addOutput(id, names[i]);
        graph.value(value).type = types[i];
        outputs.push_back(tensor(value));
    }
    return outputs;
}

Lowered TargetScope::input(std::string name, ValueType type)
{
    const ValueId value = graph.addValue({.name = std::move(name), .type = std::move(type)});
    graph.inputs.push_back(value);
    return tensor(value);
}

Lowered TargetScope::constant(std::string name, Tensor content)
{
    content = withoutComplex(std::move(content));
    const TensorType type{content.type(), crosswalk::shapeOf(content.dims())};
    const TensorId stored = graph.addTensor(std::move(content));
    return tensor(graph.addValue({.name = std::move(name), .type = type, .tensor = stored, .role = Role::Parameter}));
}

ValueId TargetScope::use(const Lowered& tensor)
{
    assert(tensor.isTensor());
    if (tensor.scope == this) {
        return tensor.value;
    }
    const auto known = m_local.find({tensor.scope, tensor.value});
    if (known != m_local.end()) {
        return known->second;
    }
    assert(m_parent != nullptr);
    const Value& outer = tensor.scope->graph.value(tensor.value);
    ValueId local;
    if (const Tensor* stored = tensor.scope->graph.tensorOf(tensor.value)) {
        local = constant(outer.name, *stored).value;
    } else {
        const ValueId above = m_parent->use(tensor);
        m_captures.push_back(m_parent->tensor(above));
        local = input(outer.name, outer.type).value;
    }
    m_local.emplace(std::pair{tensor.scope, tensor.value}, local);
    return local;
}

void TargetScope::captureInput(ValueId input, const Lowered& outer)
{
    std::erase(graph.inputs, input);
    if (const Tensor* content = contentOf(outer)) {
        graph.value(input).tensor = graph.addTensor(*content);
        return;
    }
    graph.inputs.push_back(input);
    m_captures.push_back(outer);
}

const Node* producerOf(const Lowered& tensor)
{
    const NodeId producer = tensor.isTensor() ? tensor.scope->graph.value(tensor.value).producer : NodeId{};
    return producer ? &tensor.scope->graph.node(producer) : nullptr;
}

const Tensor* contentOf(const Lowered& tensor)
{
    return tensor.isTensor() ? tensor.scope->graph.tensorOf(tensor.value) : nullptr;
}

std::optional<std::int64_t> scalarOf(const Lowered& tensor)
{
    const Tensor* content = contentOf(tensor);
    if (content == nullptr || content->elements() != 1 || !isInteger(content->type())) {
        return std::nullopt;
    }
    return content->toInts().front();
}

} // namespace crosswalk::tensorflow
