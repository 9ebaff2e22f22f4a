#include "core/formats/tensorflow/checkpoint/variable_keys.h"

#include "core/formats/tensorflow/checkpoint/object_graph.h"
#include "core/formats/tensorflow/identities.h"
#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

constexpr std::string_view objectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

/// String `index` of the constant that is operand `operand` of a node.
std::optional<std::string> constantText(const Graph& graph, const Node& node, std::size_t operand, std::size_t index)
{
    if (operand >= node.inputs.size()) {
        return std::nullopt;
    }
    const NodeId producer = graph.value(behindIdentities(graph, node.inputs[operand])).producer;
    const auto* value = producer ? attributeOf<TensorId>(graph.node(producer), "value") : nullptr;
    if (value == nullptr) {
        return std::nullopt;
    }
    const Tensor& tensor = graph.tensor(*value);
    const bool has = tensor.type() == ElementType::String && static_cast<std::int64_t>(index) < tensor.elements();
    return has ? std::optional(tensor.toStrings()[index]) : std::nullopt;
}

/// The key of a restored value; nothing for other values.
std::optional<VariableKey> restoredKey(const Graph& graph, ValueId value)
{
    const Value& source = graph.value(behindIdentities(graph, value));
    if (!source.producer) {
        return std::nullopt;
    }
    const Node& node = graph.node(source.producer);
    // Restore and RestoreSlice, of TensorFlow before 1.0, restore one tensor each.
    if (node.op != "RestoreV2" && node.op != "RestoreSlice" && node.op != "Restore") {
        return std::nullopt;
    }
    const auto name = constantText(graph, node, 1, source.producerOutput);
    const auto slice = constantText(graph, node, 2, source.producerOutput);
    if (!name) {
        return std::nullopt;
    }
    return VariableKey{*name, slice && !slice->empty() ? parseShapeAndSlice(*slice) : std::nullopt};
}

/// An assignment in a graph or function: its target, and the key of the value.
struct Restored {
    ValueId target;
    VariableKey key;
};

std::vector<Restored> restoredIn(const Graph& graph, const std::vector<bool>* among)
{
    std::vector<Restored> all;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const bool isAssignment = (node.op == "Assign" || node.op == "AssignVariableOp") && node.inputs.size() == 2;
        if (!isAssignment || (among != nullptr && !(*among)[i])) {
            continue;
        }
        if (auto key = restoredKey(graph, node.inputs[1])) {
            all.push_back({node.inputs[0], std::move(*key)});
        }
    }
    return all;
}

class KeyFinder {
public:
    KeyFinder(const Graph& graph, const Bundle& checkpoint)
        : m_graph(graph)
        , m_checkpoint(checkpoint)
    {
    }

    void addRestored(std::string_view restoreOp)
    {
        const auto start = restoreOp.empty() ? std::nullopt : NodeNames(m_graph).find(restoreOp);
        if (!start) {
            add(restoredIn(m_graph, nullptr));
            return;
        }
        const Node& node = m_graph.node(*start);
        if (const auto* function = attributeOf<Boxed<FunctionReference>>(node, "f")) {
            addRestoredInCall(node, (*function)->name);
            return;
        }
        const std::vector<bool> dependencies = neededNodes(m_graph, std::span(&*start, 1));
        add(restoredIn(m_graph, &dependencies));
    }

    void addByObjectGraph()
    {
        const BundleEntry* entry = m_checkpoint.find(objectGraphKey);
        if (entry == nullptr || entry->type != DataType::String || !entry->dims.empty()) {
            return;
        }
        const Tensor text = m_checkpoint.tensor(objectGraphKey);
        const auto keys = keysByFullName(text.toStrings().at(0));
        forEachWithoutKey([&](NodeId id, const Node& node) {
            const auto* name = attributeOf<std::string>(node, "shared_name");
            const auto found = keys.find(name != nullptr && !name->empty() ? *name : node.name);
            if (found != keys.end() && m_checkpoint.find(found->second) != nullptr) {
                m_keys.emplace(id, VariableKey{found->second, std::nullopt});
            }
        });
    }

    void addByName()
    {
        forEachWithoutKey([&](NodeId id, const Node& node) {
            if (m_checkpoint.find(node.name) != nullptr) {
                m_keys.emplace(id, VariableKey{node.name, std::nullopt});
            }
        });
    }

    bool isEmpty() const { return m_keys.empty(); }
    std::map<NodeId, VariableKey> take() { return std::move(m_keys); }

private:
    void add(std::vector<Restored> all)
    {
        for (Restored& one : all) {
            const NodeId variable = m_graph.value(behindIdentities(m_graph, one.target)).producer;
            if (variable && isVariable(m_graph.node(variable))) {
                m_keys.emplace(variable, std::move(one.key));
            }
        }
    }

    /// A function assigns to its arguments, the operands of the call.
    void addRestoredInCall(const Node& call, std::string_view name)
    {
        const Graph* body = m_graph.findFunction(name);
        if (body == nullptr) {
            return;
        }
        std::vector<Restored> outside;
        for (Restored& one : restoredIn(*body, nullptr)) {
            const ValueId target = behindIdentities(*body, one.target);
            const auto argument = std::find(body->inputs.begin(), body->inputs.end(), target);
            const auto index = static_cast<std::size_t>(argument - body->inputs.begin());
            if (argument != body->inputs.end() && index < call.inputs.size()) {
                outside.push_back({call.inputs[index], std::move(one.key)});
            }
        }
        add(std::move(outside));
    }

    template <typename Use>
    void forEachWithoutKey(Use use)
    {
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const Node& node = m_graph.node(NodeId{i});
            if (isVariable(node) && !m_keys.contains(NodeId{i})) {
                use(NodeId{i}, node);
            }
        }
    }

    const Graph& m_graph;
    const Bundle& m_checkpoint;
    std::map<NodeId, VariableKey> m_keys;
};

} // namespace

VariableKeys variableKeys(const Graph& graph, std::string_view restoreOp, const Bundle& checkpoint)
{
    KeyFinder finder(graph, checkpoint);
    finder.addRestored(restoreOp);
    const bool areComplete = !finder.isEmpty();
    finder.addByObjectGraph();
    finder.addByName();
    return {finder.take(), areComplete};
}

} // namespace crosswalk::tensorflow
