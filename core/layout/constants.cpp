#include "core/layout/constants.h"

#include "core/graph/attributes.h"
#include "core/graph/operator_info.h"
#include "core/graph/parameters.h"

#include <algorithm>
#include <unordered_set>

namespace crosswalk {
namespace {

/// A longer list is useless to readers, and a graph of constants must not be traversed for each reader.
constexpr std::size_t maxConstantNodes = 4096;

bool hasBody(const Node& node)
{
    return std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
        return std::holds_alternative<SubgraphId>(attribute.value) ||
               std::holds_alternative<std::vector<SubgraphId>>(attribute.value) ||
               std::holds_alternative<Boxed<FunctionReference>>(attribute.value);
    });
}

/// Whether a node is drawn even if it reads only constants: producers of handles, and readers of strings, which are
/// usually file names.
bool isDrawnAlways(const Graph& graph, const Node& node)
{
    return std::ranges::any_of(node.outputs, [&](ValueId id) { return id && !graph.value(id).type.isTensor(); }) ||
           std::ranges::any_of(node.inputs,
                               [&](ValueId id) { return id && graph.value(id).type.element == ElementType::String; });
}

/// Adds to the constants (by value) the values that depend only on constants, except results of kept nodes. Returns by
/// node whether it is kept or depends on other values.
template <typename IsKept>
std::vector<bool> propagate(const Graph& graph, std::vector<bool>& isConstant, IsKept isKept)
{
    std::vector<bool> reached(graph.nodeCount());
    for (const ValueId input : graph.inputs) {
        if (const NodeId producer = graph.value(input).producer) { // a placeholder with a default
            reached[producer.index] = true;
        }
    }
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        bool hasInput = false;
        bool isLive = reached[i] || operatorInfo(graph, node).isRandom(node) || hasBody(node) || isKept(node);
        for (const ValueId input : node.inputs) {
            hasInput = hasInput || bool(input);
            isLive = isLive || (input && !isConstant[input.index]);
        }
        reached[i] = isLive || !hasInput;
        for (const ValueId output : node.outputs) {
            isConstant[output.index] = isConstant[output.index] || !reached[i];
        }
    }
    return reached;
}

class Finder {
public:
    Finder(const Graph& graph, const Consumers& consumers)
        : m_graph(graph)
        , m_consumers(consumers)
        , m_isOutput(graph.valueCount(), false)
        , m_isCaptured(graph.valueCount(), false)
    {
        m_found.values.assign(graph.valueCount(), false);
        m_found.nodes.assign(graph.nodeCount(), false);
    }

    Constants find()
    {
        keepOutputsAndCaptures();
        foldStored();
        std::vector<bool> isConstant = m_found.values;
        m_isLive = propagate(m_graph, isConstant, [&](const Node& node) { return isDrawnAlways(m_graph, node); });
        foldNodes();
        return std::move(m_found);
    }

private:
    void keepOutputsAndCaptures()
    {
        for (const ValueId output : m_graph.outputs) {
            m_isOutput[output.index] = true;
        }
        for (const auto& body : m_graph.subgraphs) {
            for (const Graph::Capture& capture : body->captures) {
                m_isCaptured[capture.outer.index] = true;
            }
        }
    }

    void foldStored()
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const ValueId id{i};
            const Value& value = m_graph.value(id);
            // A parameter without weights is drawn like one with weights.
            const bool isConstant =
                constantTensor(m_graph, id) != nullptr || (!value.producer && value.role == Role::Parameter);
            m_found.values[i] = isConstant && !m_isOutput[i] && !m_consumers.of(id).empty();
        }
    }

    /// In reverse order: the readers of a node are decided before it.
    void foldNodes()
    {
        const auto takes = [&](NodeId reader) { return m_isLive[reader.index] || m_found.nodes[reader.index]; };
        for (auto i = static_cast<std::uint32_t>(m_graph.nodeCount()); i-- > 0;) {
            const Node& node = m_graph.node(NodeId{i});
            const bool isFolded = !m_isLive[i] && std::ranges::any_of(node.outputs, [&](ValueId output) {
                return !m_consumers.of(output).empty();
            }) && std::ranges::all_of(node.outputs, [&](ValueId output) {
                return !m_isOutput[output.index] && !m_isCaptured[output.index] &&
                       std::ranges::all_of(m_consumers.of(output), takes);
            });
            const bool isConstantNode =
                !node.outputs.empty() && node.inputs.empty() &&
                std::ranges::all_of(node.outputs, [&](ValueId output) { return m_found.values[output.index]; });
            m_found.nodes[i] = isFolded || isConstantNode;
            for (const ValueId output : node.outputs) {
                m_found.values[output.index] = m_found.values[output.index] || isFolded;
            }
        }
    }

    const Graph& m_graph;
    const Consumers& m_consumers;
    std::vector<bool> m_isOutput;   ///< by value
    std::vector<bool> m_isCaptured; ///< by value: read inside a body
    std::vector<bool> m_isLive;     ///< by node: depends on other values than constants
    Constants m_found;
};

} // namespace

const Tensor* constantTensor(const Graph& graph, ValueId value)
{
    if (const Tensor* stored = graph.tensorOf(value)) {
        return stored;
    }
    const NodeId producer = graph.value(value).producer;
    if (!producer) {
        return nullptr;
    }
    const Node& node = graph.node(producer);
    const std::string_view attribute = operatorInfo(graph, node).constantAttribute(node);
    const auto* id = !attribute.empty() ? attributeOf<TensorId>(node, attribute) : nullptr;
    return id != nullptr ? &graph.tensor(*id) : nullptr;
}

const Tensor* storedTensor(const Graph& graph, ValueId value)
{
    const Tensor* constant = constantTensor(graph, value);
    return constant != nullptr ? constant : parameterOf(graph, value);
}

Constants findConstants(const Graph& graph, const Consumers& consumers)
{
    return Finder(graph, consumers).find();
}

ValueIds storedBehind(const Graph& graph, const Constants& constants, ValueId value)
{
    ValueIds stored;
    ValueIds open{value};
    std::unordered_set<std::uint32_t> seen;
    while (!open.empty() && seen.size() < maxConstantNodes) {
        const ValueId at = open.back();
        open.pop_back();
        if (!seen.insert(at.index).second) {
            continue;
        }
        const NodeId maker = graph.value(at).producer;
        if (!maker || graph.node(maker).inputs.empty() || !constants.nodes[maker.index]) {
            stored.push_back(at);
            continue;
        }
        const auto& inputs = graph.node(maker).inputs;
        for (auto input = inputs.rbegin(); input != inputs.rend(); ++input) {
            if (*input) {
                open.push_back(*input);
            }
        }
    }
    return stored;
}

std::vector<bool> storedAlone(const Graph& graph)
{
    std::vector<bool> isStored(graph.valueCount());
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        isStored[i] = storedTensor(graph, ValueId{i}) != nullptr;
    }
    propagate(graph, isStored, [](const Node&) { return false; });
    return isStored;
}

ValueIds storedBehind(const Graph& graph, const std::vector<bool>& isStoredAlone, ValueId value)
{
    constexpr std::size_t maxRead = 256;
    ValueIds stored;
    ValueIds open{value};
    std::unordered_set<std::uint32_t> seen;
    while (!open.empty()) {
        const ValueId at = open.back();
        open.pop_back();
        if (!isStoredAlone[at.index] || seen.size() > maxRead) {
            return {};
        }
        if (!seen.insert(at.index).second) {
            continue;
        }
        if (storedTensor(graph, at) != nullptr) {
            stored.push_back(at);
            continue;
        }
        const auto& inputs = graph.node(graph.value(at).producer).inputs;
        std::copy_if(inputs.rbegin(), inputs.rend(), std::back_inserter(open),
                     [](ValueId input) { return bool(input); });
    }
    return stored;
}

} // namespace crosswalk
