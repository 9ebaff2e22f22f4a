#pragma once

#include "core/base/unique_names.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"
#include "core/rewrite/optimize.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace crosswalk {

/// Prefix for names of new values of a node: its name, or its output's name if it has none.
std::string labelOf(const ::onnx::NodeProto& node);

/// Shared by the passes: an index of producers and consumers, and removal of nodes that transfers their provenance.
class GraphEdit {
public:
    GraphEdit(RewrittenModel rewritten, const NodeNames& names);

    ::onnx::GraphProto& graph() { return m_graph; }
    const ::onnx::GraphProto& graph() const { return m_graph; }
    int opset() const { return m_opset; }
    /// The content of an initializer; null for any other value, and for an initializer that is also an input, because
    /// the user can override it. Valid until the next addWeight.
    const Tensor* stored(const std::string& name) const;
    /// The node that computes a value; nothing for inputs and initializers.
    std::optional<int> producer(const std::string& name) const;
    /// The node that computes a value by this operator; null for other values.
    const ::onnx::NodeProto* producer(const std::string& name, std::string_view op) const;
    /// The node that computes a value by this operator, if the value is read once.
    std::optional<int> singleProducer(const std::string& name, std::string_view op) const;
    /// Number of reads of a value by nodes, their bodies and the model's outputs.
    int reads(const std::string& name) const;
    bool isOutput(const std::string& name) const { return m_outputs.contains(name); }
    /// The inferred type of a value, or the type of an input.
    TensorType typeOf(const std::string& name) const;

    /// Whether all reads of a value can be redirected: not those of outputs of the model and of bodies.
    bool isReplaceable(const std::string& name) const { return !isOutput(name) && !m_readInBodies.contains(name); }
    /// Redirects all reads of `name`, which must be replaceable, to `other`.
    void replaceReads(const std::string& name, const std::string& other);
    /// Applies replaceReads to the inputs of a node; finish() does so for all nodes.
    void update(::onnx::NodeProto& node) const;

    /// A name for a new value: `wanted`, or `wanted#2` and so on if that name is taken.
    std::string newValue(const std::string& wanted, const TensorType& type);
    /// Inserts a node in finish(), in front of node `before` of the graph, with the source nodes of nodes `from`.
    void insert(int before, ::onnx::NodeProto node, const std::vector<int>& from);

    /// Adds an initializer named `wanted`, or `wanted#2` and so on if that name is taken. Returns the name.
    std::string addWeight(const std::string& wanted, Tensor tensor);
    /// Replaces the outputs of a node by initializers and removes the node in finish().
    void replace(int gone, std::vector<Tensor> tensors);
    /// Removes node `gone` in finish(), without transferring its provenance.
    void drop(int gone) { m_gone.insert(gone); }
    /// Removes node `gone` in finish() and adds its source nodes to those of node `kept`.
    void merge(int gone, int kept);
    /// Whether node `node` has all source nodes of node `other`.
    bool hasSourcesOf(int node, int other) const;
    /// Dead-code elimination for nodes of ONNX's default domain.
    void dropUnread();
    /// Removes dropped and merged nodes and unused weights. No further edits are allowed.
    void finish();

private:
    struct Value {
        int producer = -1; ///< the node that computes it, -1 for none
        int reads = 0;
    };
    struct Inserted {
        int before = 0;
        ::onnx::NodeProto node;
        std::vector<NodeId> sources;
    };

    void addSource(int node, NodeId source);
    std::string unusedName(const std::string& wanted);
    void nameInsertedNodes();
    void rebuildNodes();
    void describeValues();
    void dropUnreadWeights();

    RewrittenModel m_rewritten;
    const NodeNames& m_names;
    ::onnx::GraphProto& m_graph;
    std::unordered_map<std::string, std::size_t> m_stored;
    std::unordered_map<std::string, Value> m_values;
    std::unordered_set<std::string> m_inputs;
    std::unordered_set<std::string> m_outputs;
    std::unordered_set<std::string> m_readInBodies;
    std::unordered_map<std::string, std::string> m_replacements; ///< replacements, by value
    std::unordered_map<std::string, TensorType> m_inputTypes;
    std::vector<Inserted> m_inserted;
    std::vector<std::string> m_newValues;
    int m_opset = 0;
    UniqueNames m_taken; ///< names in use, including those in bodies; filled on first use
    std::unordered_set<int> m_gone;
    std::unordered_set<int> m_grown; ///< nodes whose metadata finish() writes, because others were merged into them
    std::unordered_map<int, std::unordered_set<std::uint32_t>> m_longSources; ///< of nodes with many source nodes
};

} // namespace crosswalk
