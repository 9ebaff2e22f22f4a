#include "core/formats/pytorch/torchscript/graph_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace crosswalk::pytorch {

GraphStack::GraphStack()
{
    push();
}

void GraphStack::push(Level level)
{
    level.graph.format = "pytorch";
    m_levels.push_back(std::move(level));
}

GraphStack::Level GraphStack::pop()
{
    assert(!m_levels.empty());
    Level level = std::move(m_levels.back());
    m_levels.pop_back();
    return level;
}

std::optional<GraphValue> GraphStack::negatedBy(GraphValue value) const
{
    const Level& level = m_levels.at(value.level);
    const NodeId producer = level.graph.value(value.id).producer;
    if (!producer || level.graph.node(producer).op != "aten::__not__") {
        return std::nullopt;
    }
    const ValueId operand = level.graph.node(producer).inputs.at(0);
    for (const auto& [outer, inner] : level.inner) {
        if (inner == operand) {
            return GraphValue{outer.first, outer.second};
        }
    }
    return GraphValue{value.level, operand};
}

const Tensor* GraphStack::storedTensor(GraphValue value) const
{
    while (true) {
        const Level& level = m_levels.at(value.level);
        if (const Tensor* tensor = level.graph.tensorOf(value.id)) {
            return tensor;
        }
        if (const NodeId producer = level.graph.value(value.id).producer) {
            const Node& node = level.graph.node(producer);
            if (node.op != "aten::Float" && node.op != "aten::Int") {
                return nullptr;
            }
            value.id = node.inputs.at(0);
            continue;
        }
        const auto outer =
            std::ranges::find_if(level.inner, [&](const auto& entry) { return entry.second == value.id; });
        if (outer == level.inner.end()) {
            return nullptr;
        }
        value = {outer->first.first, outer->first.second};
    }
}

GraphValue GraphStack::input(std::string name, ValueType type)
{
    assert(m_levels.back().captured.empty());
    const ValueId id = graph().addValue({.name = std::move(name), .type = std::move(type)});
    graph().inputs.push_back(id);
    return {level(), id};
}

GraphValue GraphStack::stored(std::string name, Tensor tensor, Role role)
{
    Value value{.name = std::move(name), .role = role};
    value.type = TensorType{tensor.type(), shapeOf(tensor.dims())};
    value.tensor = graph().addTensor(std::move(tensor));
    return {level(), graph().addValue(std::move(value))};
}

std::vector<GraphValue> GraphStack::add(Node node, std::size_t outputs)
{
    const std::string name = node.name;
    const NodeId id = graph().addNode(std::move(node));
    std::vector<GraphValue> values;
    for (std::size_t i = 0; i < outputs; ++i) {
        values.push_back({level(), graph().addOutput(id, i == 0 ? name : fmt::format("{}:{}", name, i))});
    }
    return values;
}

std::string GraphStack::unique(const std::string& name)
{
    const std::uint32_t count = ++m_names[name];
    return count == 1 ? name : fmt::format("{}_{}", name, count);
}

ValueId GraphStack::at(GraphValue value, std::uint32_t level)
{
    assert(value.level <= level);
    if (value.level == level) {
        return value.id;
    }
    Level& body = m_levels[level];
    const auto key = std::pair(value.level, value.id);
    if (const auto found = body.inner.find(key); found != body.inner.end()) {
        return found->second;
    }
    const ValueId outer = at(value, level - 1);
    const Value& original = m_levels[level - 1].graph.value(outer);
    const ValueId id = body.graph.addValue({.name = original.name, .type = original.type});
    body.graph.inputs.push_back(id);
    body.captured.push_back({level - 1, outer});
    body.inner.emplace(key, id);
    return id;
}

} // namespace crosswalk::pytorch
