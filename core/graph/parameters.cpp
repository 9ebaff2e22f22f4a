#include "core/graph/parameters.h"

#include "core/graph/attributes.h"
#include "core/graph/operator_info.h"

#include <algorithm>
#include <set>

namespace crosswalk {

const Tensor* parameterOf(const Graph& graph, ValueId id)
{
    const Value& value = graph.value(id);
    if (value.producer && value.role != Role::Parameter) {
        return nullptr;
    }
    if (value.tensor || !value.producer) {
        return graph.tensorOf(id);
    }
    const auto* content = attributeOf<TensorId>(graph.node(value.producer), "value");
    return content != nullptr ? &graph.tensor(*content) : nullptr;
}

bool isWeight(const Tensor& constant)
{
    const ElementType type = constant.type();
    return constant.rank() > 0 && (isFloating(type) || type == ElementType::Int8 || type == ElementType::UInt8);
}

namespace {

/// The weight that a constant node holds; null for any other node.
const Tensor* weightOf(const Graph& graph, const Node& node)
{
    const std::string_view name = operatorInfo(graph, node).constantAttribute(node);
    const auto* content = name.empty() ? nullptr : attributeOf<TensorId>(node, name);
    return content != nullptr && isWeight(graph.tensor(*content)) ? &graph.tensor(*content) : nullptr;
}

class ParameterVisitor {
public:
    using Visit = std::function<void(const std::string&, const Tensor&)>;

    explicit ParameterVisitor(const Visit& visit)
        : m_visit(visit)
    {
    }

    void addGraph(const Graph& graph, const std::vector<bool>& needed)
    {
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            if (const Tensor* tensor = needed[i] ? parameterOf(graph, ValueId{i}) : nullptr) {
                m_visit(graph.value(ValueId{i}).name, *tensor);
            }
        }
        for (const Node& node : graph.nodes()) {
            const auto isNeeded = [&](ValueId output) { return output && needed[output.index]; };
            if (std::ranges::any_of(node.outputs, isNeeded)) {
                addNode(graph, node);
            }
        }
    }

private:
    void addNode(const Graph& graph, const Node& node)
    {
        const Tensor* weight = weightOf(graph, node);
        if (weight != nullptr && graph.value(node.outputs.front()).role != Role::Parameter) {
            m_visit(graph.value(node.outputs.front()).name, *weight);
        }
        for (const Attribute& attribute : node.attributes) {
            if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
                addBody(graph.subgraph(*body));
            } else if (const auto* bodies = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
                for (const SubgraphId one : *bodies) {
                    addBody(graph.subgraph(one));
                }
            }
        }
    }

    void addBody(const Graph& body)
    {
        if (m_bodies.insert(&body).second) {
            addGraph(body, std::vector<bool>(body.valueCount(), true));
        }
    }

    const Visit& m_visit;
    std::set<const Graph*> m_bodies;
};

} // namespace

ParameterCount countParameters(const Graph& graph)
{
    return countParameters(graph, std::vector<bool>(graph.valueCount(), true));
}

ParameterCount countParameters(const Graph& graph, const std::vector<bool>& needed)
{
    ParameterCount count;
    const ParameterVisitor::Visit add = [&](const std::string&, const Tensor& tensor) {
        ++count.tensors;
        count.elements += static_cast<std::uint64_t>(tensor.elements());
        count.bytes += tensor.bytes();
    };
    ParameterVisitor(add).addGraph(graph, needed);
    return count;
}

void visitParameters(const Graph& graph, const std::vector<bool>& needed,
                     const std::function<void(const std::string&, const Tensor&)>& visit)
{
    ParameterVisitor(visit).addGraph(graph, needed);
}

bool isWeightsOnly(const Graph& graph)
{
    return graph.inputs.empty() && graph.outputs.empty() && std::ranges::all_of(graph.nodes(), [&](const Node& node) {
               return node.outputs.empty() && std::ranges::all_of(node.inputs, [&](ValueId input) {
                          return input && graph.tensorOf(input) != nullptr;
                      });
           });
}

std::vector<std::string> filesOf(const Tensor& tensor)
{
    std::vector<std::string> files;
    for (const Tensor::Piece& piece : tensor.pieces()) {
        const auto* file = dynamic_cast<const SourceFile*>(piece.source.get());
        if (file != nullptr && std::ranges::find(files, file->name()) == files.end()) {
            files.push_back(file->name());
        }
    }
    return files;
}

} // namespace crosswalk
