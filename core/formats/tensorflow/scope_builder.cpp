#include "core/formats/tensorflow/scope_builder.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/node_attributes.h"
#include "core/formats/tensorflow/references.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/formats/tensorflow/topological_order.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Up to this version of the graph format a Placeholder's shape of rank 0 means unknown (see its registration).
constexpr std::int64_t lastWithScalarAsUnknown = 23;

bool closesLoop(const NodeDef& node)
{
    return node.op == "NextIteration" || node.op == "RefNextIteration";
}

class ScopeBuilder {
public:
    explicit ScopeBuilder(const Scope& scope)
        : m_scope(scope)
        , m_references(scope)
        , m_inputs(scope.nodes.size())
    {
    }

    Graph build()
    {
        m_graph.format = "tensorflow";
        resolveInputs();
        addArguments();
        addNodes();
        connect();
        if (m_scope.function != nullptr) {
            addResults(*m_scope.function);
        }
        return std::move(m_graph);
    }

private:
    void resolveInputs()
    {
        for (std::size_t i = 0; i < m_scope.nodes.size(); ++i) {
            const NodeDef& node = m_scope.nodes[i];
            for (const std::string_view input : node.inputs) {
                if (const auto reference = m_references.resolve(input, node.name)) {
                    m_inputs[i].push_back(*reference);
                }
            }
        }
    }

    void addArguments()
    {
        if (m_scope.function == nullptr) {
            return;
        }
        const auto& arguments = m_scope.function->signature.inputs;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            auto& values = m_arguments.emplace_back();
            const std::uint32_t size = m_references.argumentSize(i);
            for (std::uint32_t k = 0; k < size; ++k) {
                std::string name(arguments[i].name);
                name += size > 1 ? fmt::format(":{}", k) : "";
                values.push_back(m_graph.addValue(
                    {.name = std::move(name), .type = valueType(arguments[i].type, argumentShape(i))}));
            }
            m_graph.inputs.insert(m_graph.inputs.end(), values.begin(), values.end());
        }
    }

    std::optional<Shape> argumentShape(std::size_t index) const
    {
        for (const auto& [argument, attrs] : m_scope.function->argAttrs) {
            if (argument == index) {
                return outputShape(attrs, 0);
            }
        }
        return std::nullopt;
    }

    /// The shape of an output in the attribute `_output_shapes`.
    static std::optional<Shape> outputShape(std::span<const NamedAttr> attrs, std::size_t output)
    {
        const auto* list = findAttrOf<std::shared_ptr<const ListProto>>(attrs, "_output_shapes");
        return list != nullptr && output < (*list)->shapes.size() ? shapeOf((*list)->shapes[output]) : std::nullopt;
    }

    std::optional<Shape> shapeOfOutput(const NodeDef& node, std::size_t output) const
    {
        if (auto shape = outputShape(node.attrs, output)) {
            return shape;
        }
        const bool isPlaceholder = node.op == "Placeholder" || node.op == "PlaceholderWithDefault";
        if (!isPlaceholder && node.op != "VariableV2" && node.op != "Variable") {
            return std::nullopt;
        }
        const auto* shape = findAttrOf<ShapeProto>(node.attrs, "shape");
        const bool isUnknown = shape == nullptr || (node.op == "Placeholder" && shape->dims.empty() &&
                                                    m_scope.producer <= lastWithScalarAsUnknown);
        return isUnknown ? std::nullopt : shapeOf(*shape);
    }

    void addNodes()
    {
        std::vector<Dependencies> dependencies(m_scope.nodes.size());
        std::vector<bool> isBackEdge(m_scope.nodes.size());
        for (std::size_t i = 0; i < m_scope.nodes.size(); ++i) {
            isBackEdge[i] = closesLoop(m_scope.nodes[i]);
            for (const Reference& input : m_inputs[i]) {
                if (input.kind != Reference::Kind::Argument) {
                    dependencies[i].push_back(input.index);
                }
            }
        }
        NodeOrder order = topologicalOrder(dependencies, isBackEdge);
        m_graph.hasCycles = order.hasCycles;
        m_order = std::move(order.nodes);
        m_ids.resize(m_scope.nodes.size());
        for (const std::uint32_t i : m_order) {
            addNode(i);
        }
    }

    void addNode(std::uint32_t index)
    {
        const NodeDef& def = m_scope.nodes[index];
        try {
            const OpDef* op = findOpDef(def.op);
            Node node{.op = std::string(def.op), .name = std::string(def.name)};
            node.attributes = attributesOf(def.attrs, op, m_scope.file, m_graph);
            const NodeId id = m_graph.addNode(std::move(node));
            m_ids[index] = id;
            const auto& types = m_references.outputs()[index].types;
            for (std::size_t k = 0; k < types.size(); ++k) {
                const ValueId value = m_graph.addOutput(id, fmt::format("{}:{}", def.name, k));
                m_graph.value(value).type = valueType(types[k], shapeOfOutput(def, k));
            }
            if (def.op == "Const") {
                storeConstant(id);
            }
        } catch (ModelError& error) {
            error.diagnostic.node = def.name;
            throw;
        }
    }

    /// The output of a Const is a stored value.
    void storeConstant(NodeId id)
    {
        const auto* tensor = attributeOf<TensorId>(m_graph.node(id), "value");
        if (tensor != nullptr && !m_graph.node(id).outputs.empty()) {
            Value& value = m_graph.value(m_graph.node(id).outputs[0]);
            const ElementType stated = value.type.element;
            const ElementType stored = m_graph.tensor(*tensor).type(); // of complex numbers, that of their parts
            if (stated != ElementType::Undefined && !isComplex(stated) && stored != stated) {
                throw ModelError("damaged", fmt::format("its dtype is {}, but it stores {}", elementTypeName(stated),
                                                        elementTypeName(stored)));
            }
            value.type.shape = crosswalk::shapeOf(m_graph.tensor(*tensor).dims());
            value.tensor = *tensor;
        }
    }

    ValueId valueOf(const Reference& reference) const
    {
        return reference.kind == Reference::Kind::Argument
                   ? m_arguments[reference.index][reference.output]
                   : m_graph.node(m_ids[reference.index]).outputs[reference.output];
    }

    void connect()
    {
        for (const std::uint32_t i : m_order) {
            Node& node = m_graph.node(m_ids[i]);
            for (const Reference& input : m_inputs[i]) {
                if (input.kind != Reference::Kind::Control) {
                    node.inputs.push_back(valueOf(input));
                } else if (std::find(node.controlInputs.begin(), node.controlInputs.end(), m_ids[input.index]) ==
                           node.controlInputs.end()) {
                    node.controlInputs.push_back(m_ids[input.index]);
                }
            }
        }
    }

    void addResults(const FunctionDef& function)
    {
        auto info = std::make_shared<FunctionInfo>();
        m_graph.name = function.signature.name;
        info->isStateful = function.signature.isStateful;
        info->attributes = attributesOf(function.attrs, nullptr, m_scope.file, m_graph);
        for (const ArgDef& output : function.signature.outputs) {
            const auto result = std::find_if(function.results.begin(), function.results.end(),
                                             [&](const NamePair& pair) { return pair.key == output.name; });
            if (result == function.results.end()) {
                throw ModelError("damaged",
                                 fmt::format("the function returns nothing for its output '{}'", output.name));
            }
            const auto reference = m_references.resolve(result->value, function.signature.name);
            if (!reference || reference->kind == Reference::Kind::Control) {
                throw ModelError("damaged",
                                 fmt::format("'{}' is not a value that a function can return", result->value));
            }
            m_graph.outputs.push_back(valueOf(*reference));
            info->resultNames.emplace_back(output.name);
        }
        for (const NamePair& result : function.controlResults) {
            const auto reference = m_references.resolve("^" + std::string(result.value), function.signature.name);
            if (reference) {
                info->controlOutputs.push_back(m_ids[reference->index]);
            }
        }
        m_graph.original = std::move(info);
    }

    const Scope& m_scope;
    References m_references;
    std::vector<std::vector<Reference>> m_inputs; ///< by node of the file
    std::vector<ValueIds> m_arguments;
    std::vector<std::uint32_t> m_order;
    std::vector<NodeId> m_ids; ///< by node of the file
    Graph m_graph;
};

} // namespace

Graph buildScope(const Scope& scope)
{
    return ScopeBuilder(scope).build();
}

} // namespace crosswalk::tensorflow
