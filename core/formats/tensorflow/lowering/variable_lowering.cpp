// Variables of TensorFlow 1 (VariableV2) and 2 (VarHandleOp), as values that the lowered graph stores once.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/graph/attributes.h"

namespace crosswalk::tensorflow {

/// The outputs of a node that creates or reads a variable; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::variableNode(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    if (node.op == "VariableV2" || node.op == "Variable") {
        return std::vector{variable(region, id)};
    }
    if (node.op == "VarHandleOp") {
        variable(region, id);
        return std::vector{Lowered{.kind = Lowered::Kind::Variable, .node = refOf(region, id)}};
    }
    if (node.op == "ReadVariableOp") {
        return std::vector{contentOf(region, id, get(region, node.inputs[0]))};
    }
    if (node.op == "ResourceGather") {
        const Lowered content = contentOf(region, id, get(region, node.inputs[0]));
        const Lowered axis = intConstant(region, id, {0}, true);
        return emit(region, id, "GatherV2", {content, get(region, node.inputs[1]), axis}, {},
                    {graph.value(node.outputs[0]).type});
    }
    return std::nullopt;
}

/// The content of a variable, stored once in the lowered graph.
Lowered ModelLowering::variable(Region& region, NodeId id)
{
    const NodeRef ref = refOf(region, id);
    if (const auto known = m_variables.find(ref); known != m_variables.end()) {
        return known->second;
    }
    const Node& node = region.source.graph.node(id);
    Lowered content;
    if (const auto* stored = attributeOf<TensorId>(node, "value")) {
        content = m_top.constant(nameOf(region, id), region.source.graph.tensor(*stored));
    } else {
        TensorType type;
        if (const auto* element = attributeOf<ElementType>(node, "dtype")) {
            type.element = *element;
        }
        if (const auto* shape = attributeOf<ShapeAttribute>(node, "shape")) {
            type.shape = shape->shape;
        }
        Graph& graph = m_top.graph;
        content = m_top.tensor(graph.addValue({.name = nameOf(region, id), .type = type, .role = Role::Parameter}));
        graph.inputs.push_back(content.value);
    }
    m_variables.emplace(ref, content);
    return content;
}

Lowered ModelLowering::contentOf(Region& region, NodeId id, const Lowered& handle)
{
    if (handle.isTensor()) { // a frozen graph reads a constant
        return handle;
    }
    const auto content = m_variables.find(handle.node);
    if (handle.kind != Lowered::Kind::Variable || content == m_variables.end()) {
        return plainNode(region, id).front();
    }
    return content->second;
}

} // namespace crosswalk::tensorflow
