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
    /// The content of an initializer; null for anything else, and for one that is an input as well, which a run may
    /// give another content. Stays valid until the next addWeight.
    const Tensor* stored(const std::string& name) const;
    /// The node that makes a value; nothing for inputs and initializers.
    std::optional<int> producer(const std::string& name) const;
    /// How often nodes, their bodies and the model's outputs read a value.
    int reads(const std::string& name) const;
    bool isOutput(const std::string& name) const { return m_outputs.contains(name); }

    /// Adds an initializer, as `wanted` or, where that is taken, `wanted#2` and so on.
    std::string addWeight(const std::string& wanted, Tensor tensor);
    /// The only output of a node becomes an initializer, and the node will be dropped.
    void replace(int gone, Tensor tensor);
    /// Node `gone` will be dropped; node `kept` says from here on that it stands for its source nodes too.
    void merge(int gone, int kept);
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
    std::unordered_set<std::string> m_taken; ///< bodies included; filled when a new one is needed
    std::unordered_set<int> m_gone;
};

} // namespace crosswalk
