#pragma once

#include "core/onnx/builder_state.h"
#include "core/rewrite/optimize.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace crosswalk {

/// What new values of a node are named after: its name, or its output where it has none.
std::string labelOf(const ::onnx::NodeProto& node);

/// What the passes share: who makes and reads each value, and nodes that go while others take over their provenance.
class GraphEdit {
public:
    GraphEdit(RewrittenModel rewritten, const NodeNames& names);

    ::onnx::GraphProto& graph() { return m_graph; }
    const ::onnx::GraphProto& graph() const { return m_graph; }
    /// The content of an initializer; null for anything else, and for one that is an input as well, which a run may
    /// give another content. Stays valid until the next addWeight.
    const Tensor* stored(const std::string& name) const;
    /// The node that makes a value; nothing for inputs and initializers.
    std::optional<int> producer(const std::string& name) const;
    /// How often nodes, their bodies and the model's outputs read a value.
    int reads(const std::string& name) const;
    bool isOutput(const std::string& name) const { return m_outputs.contains(name); }
    /// What inference knows of a value, inputs of the model included.
    TensorType typeOf(const std::string& name) const;

    /// Whether all that reads a value can be given another one: the model's outputs and bodies cannot.
    bool isReplaceable(const std::string& name) const { return !isOutput(name) && !m_readInBodies.contains(name); }
    /// From here on `other` is read in the place of `name`, which must be replaceable.
    void replaceReads(const std::string& name, const std::string& other);
    /// Brings the inputs of a node up to date with that; finish() does so for all.
    void update(::onnx::NodeProto& node) const;

    /// Adds an initializer, as `wanted` or, where that is taken, `wanted#2` and so on.
    std::string addWeight(const std::string& wanted, Tensor tensor);
    /// The only output of a node becomes an initializer, and the node will be dropped.
    void replace(int gone, Tensor tensor);
    /// Node `gone` will be dropped, and stands for nothing any more.
    void drop(int gone) { m_gone.insert(gone); }
    /// Node `gone` will be dropped; node `kept` says from here on that it stands for its source nodes too.
    void merge(int gone, int kept);
    /// Drops the nodes of ONNX's own domain that nothing needs.
    void dropUnread();
    /// Drops what was merged, and the weights that nothing reads any more. The edit ends with it.
    void finish();

private:
    void dropNodes();
    void dropUnreadWeights();

    RewrittenModel m_rewritten;
    const NodeNames& m_names;
    ::onnx::GraphProto& m_graph;
    std::unordered_map<std::string, std::size_t> m_stored;
    std::unordered_map<std::string, int> m_producer;
    std::unordered_map<std::string, int> m_reads;
    std::unordered_set<std::string> m_inputs;
    std::unordered_set<std::string> m_outputs;
    std::unordered_set<std::string> m_readInBodies;
    std::unordered_map<std::string, std::string> m_instead; ///< by value: the one that is read in its place
    std::unordered_map<std::string, TensorType> m_inputTypes;
    std::unordered_set<std::string> m_taken; ///< bodies included; filled when a new one is needed
    std::unordered_set<int> m_gone;
};

} // namespace crosswalk
