#pragma once

#include "core/convert/framework.h"

#include <map>
#include <set>
#include <unordered_map>

namespace crosswalk::mxnet {

/// Order of nodes and values in sets.
struct ByIndex {
    bool operator()(const auto& a, const auto& b) const { return a.index < b.index; }
};
using NodeSet = std::set<NodeId, ByIndex>;
using ValueSet = std::set<ValueId, ByIndex>;
template <typename T>
using ByValue = std::map<ValueId, T, ByIndex>;

/// A graph that is being rewritten: nodes are added, and values come to stand for others. What nothing needs any more
/// falls away in the end.
class Rewriting {
public:
    explicit Rewriting(const Graph& source);

    const Graph& graph() const { return m_graph; }
    std::size_t sourceNodes() const { return m_sourceNodes; }

    /// What stands for a value by now.
    ValueId now(ValueId value) const;
    /// Absent where the node has fewer inputs, as nodes of a damaged file may.
    ValueId input(const Node& node, std::size_t i) const
    {
        return i < node.inputs.size() ? now(node.inputs[i]) : ValueId{};
    }
    NodeId producer(ValueId value) const { return value ? m_graph.value(now(value)).producer : NodeId{}; }
    /// Null where the value is an input or stored.
    const Node* producerNode(ValueId value) const;
    /// The node whose first output the value is and that has this operator; null without.
    const Node* from(std::string_view op, ValueId value) const;

    /// Adds a node, or finds the same one that was added before.
    std::vector<ValueId> add(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes = {},
                             std::size_t outputs = 1, const std::string& name = {});
    ValueId addWeight(std::string name, Tensor tensor);
    /// Everything that reads `old` reads `by` from now on.
    void replace(ValueId old, ValueId by);
    /// Says that the node which makes `value` is there in place of `nodes` of the source.
    void comesFrom(ValueId value, std::span<const NodeId> nodes);

    /// By node: whether an output of the model needs it.
    std::vector<bool> neededNodes() const;
    /// Whether one of the values is computed from one of the nodes.
    bool dependsOn(std::span<const ValueId> values, const NodeSet& nodes) const;

    /// The graph as it stands, without what no output needs; outputs keep their names.
    RewrittenGraph finish();

private:
    std::vector<NodeId> order() const;

    Graph m_graph;
    std::size_t m_sourceNodes;
    std::size_t m_sourceValues;
    std::vector<ValueId> m_now;
    std::vector<std::vector<NodeId>> m_origins; ///< of the nodes that were added
    std::unordered_map<std::string, NodeId> m_added;
};

/// Text of an attribute, `fallback` where the node has none.
std::string_view attributeText(const Node& node, std::string_view name, std::string_view fallback);
std::optional<std::int64_t> attributeInteger(const Node& node, std::string_view name,
                                             std::optional<std::int64_t> fallback = {});
bool attributeFlag(const Node& node, std::string_view name, bool fallback);

} // namespace crosswalk::mxnet
