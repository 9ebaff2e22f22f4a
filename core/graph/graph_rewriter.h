#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk {

using NodeSet = std::set<NodeId>;
using ValueSet = std::set<ValueId>;
template <typename T>
using ByValue = std::map<ValueId, T>;

/// A copy of a graph that a pass changes: nodes are added, and values are replaced by others. Nodes that no output
/// needs any more are dropped at the end. Every node keeps Node::origins, so that a chain of passes ends in nodes of
/// the source.
class GraphRewriter {
public:
    /// `identity`: the framework's operator that returns its input unchanged.
    GraphRewriter(const Graph& source, std::string identity);

    const Graph& graph() const { return m_graph; }
    std::size_t sourceNodes() const { return m_sourceNodes; }

    /// The value that a value has been replaced by; the value itself where it has not.
    ValueId current(ValueId value) const;
    /// Absent where the node has fewer inputs, as nodes of a damaged file may.
    ValueId input(const Node& node, std::size_t i) const
    {
        return i < node.inputs.size() ? current(node.inputs[i]) : ValueId{};
    }
    NodeId producer(ValueId value) const { return value ? m_graph.value(current(value)).producer : NodeId{}; }
    /// Null where the value is an input or stored.
    const Node* producerNode(ValueId value) const;
    /// The node whose first output the value is and that has this operator; null without.
    const Node* from(std::string_view op, ValueId value) const;

    /// Adds a node, or finds an equal one that was added before. Returns its outputs.
    ValueIds add(std::string_view op, ValueIds inputs, std::vector<Attribute> attributes = {}, std::size_t outputs = 1,
                 const std::string& name = {});
    ValueId addWeight(std::string name, Tensor tensor);
    /// Everything that reads `old` reads `by` from now on.
    void replace(ValueId old, ValueId by);
    void setInputs(NodeId node, ValueIds inputs);
    void addAttribute(NodeId node, Attribute attribute);
    /// Keeps a node that no output needs, such as a check.
    void keep(NodeId node) { m_kept.push_back(node); }
    /// The node that computes `value` replaces `nodes` of the source as well.
    void addOrigins(ValueId value, std::span<const NodeId> nodes);

    /// By node: whether an output of the graph needs it.
    std::vector<bool> neededNodes() const;
    /// Whether one of the values is computed from one of the nodes.
    bool dependsOn(std::span<const ValueId> values, const NodeSet& nodes) const;

    struct Result {
        Graph graph;       ///< nodes in topological order, the source's order where that is one
        ValueIds standIns; ///< by value of the source: the equal value of `graph`; none where it is gone
    };
    /// The graph as it is now, without the nodes that no output needs. Outputs keep their names.
    Result finish();

private:
    std::vector<NodeId> order() const;
    std::vector<NodeId> neededOrder() const;
    void keepOutputNames();
    void adoptOrigins(const std::vector<bool>& isKept);
    void inheritOrigins(const std::vector<NodeId>& kept);

    Graph m_graph;
    std::vector<NodeId> m_kept;
    std::string m_identity;
    std::size_t m_sourceNodes;
    std::size_t m_sourceValues;
    ValueIds m_current;
    std::unordered_map<std::string, std::vector<NodeId>> m_added; ///< by the text of a node
};

} // namespace crosswalk
