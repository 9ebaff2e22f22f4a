#pragma once

#include "core/formats/onnx/scope_source.h"
#include "core/formats/onnx/value_lookup.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {

/// The topological orders of unsorted protos, innermost first.
using ScopeOrders = std::vector<std::pair<const ::onnx::GraphProto*, std::vector<int>>>;

/// Reads one graph, the model's or a body's. Names are visible only inside; a value that a body takes from outside
/// becomes a capture of every scope in between.
class ScopeReader {
public:
    /// `outer` is the scope around a body, null for the model's graph. `orders`, if not null, receives the order of
    /// sorted graphs.
    ScopeReader(ScopeSource& source, ScopeReader* outer, ScopeOrders* orders);

    Graph read();

private:
    [[noreturn]] void fail(int node, std::string message) const;
    std::string label(int node) const;

    /// Adds a value; none if another one has its name.
    ValueId declare(Value value);
    void addStored();
    void addInputs();
    void addNodeOutputs();
    void addTypes();
    void addOutputs();
    /// The value of this name here or in an enclosing scope; none if there is none.
    ValueId resolve(const std::string& name);

    Node nodeOf(int index);
    /// The value, or a list of the function's attribute that it comes from and the default value, if there is one.
    AttributeValue attributeOf(int node, const ::onnx::AttributeProto& proto);
    AttributeValue valueOf(int node, const ::onnx::AttributeProto& proto);
    Tensor tensorAt(int node, const std::string& attribute, const ::onnx::TensorProto& proto) const;
    SubgraphId bodyOf(const ::onnx::GraphProto& body);

    bool isSorted(const std::vector<Node>& nodes) const;
    /// The nodes' indices in topological order, else as in the file.
    std::vector<int> sorted(const std::vector<Node>& nodes) const;
    [[noreturn]] void failAtCycle(const std::vector<Node>& nodes, const std::vector<int>& missing) const;

    ScopeSource& m_source;
    const ::onnx::GraphProto& m_frame;
    ScopeReader* m_outer;
    ScopeOrders* m_orders;
    Graph m_graph;
    ValueLookup m_values{m_graph};
    std::vector<int> m_makers;      ///< by value: index of the proto's node that produces it, -1 for none
    std::uint32_t m_nextStored = 0; ///< value after the stored tensor that was read last
    std::uint32_t m_nextOutput = 0; ///< value of the next node output that no Node has taken yet
};

} // namespace crosswalk
