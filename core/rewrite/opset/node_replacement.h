#pragma once

#include "core/base/unique_names.h"
#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace crosswalk {

/// What is known of the values of a graph: types from onnx's inference, and the content of those that can be computed
/// without running the model. A body sees the values of the graphs around it.
class KnownValues {
public:
    /// `graph` and `outer` must outlive this.
    explicit KnownValues(const ::onnx::GraphProto& graph, KnownValues* outer = nullptr);

    TensorType typeOf(const std::string& name) const; ///< unknown if it is not inferred
    /// Nothing for inputs, large tensors, and values that depend on inputs.
    std::optional<Tensor> contentOf(const std::string& name);
    /// Whether the graph itself stores the value, as an initializer or as a Constant with the attribute `value`: the
    /// version converter looks for operands that become attributes only there.
    bool isStoredHere(const std::string& name) const;

private:
    std::optional<Tensor> compute(const std::string& name);

    KnownValues* m_outer;
    std::unordered_map<std::string, TensorType> m_types;
    std::unordered_map<std::string, const ::onnx::TensorProto*> m_stored;
    std::unordered_map<std::string, const ::onnx::NodeProto*> m_producers;
    std::unordered_map<std::string, bool> m_inputs;
    std::map<std::string, std::optional<Tensor>> m_contents;
    int m_depth = 0;
};

struct NodeAttribute {
    std::string_view name;
    std::variant<std::int64_t, Ints, std::string_view, ::onnx::GraphProto> value;
};

/// Emits the nodes that replace one node. They have the node's opset, and are added to its graph in front of the nodes
/// that follow it.
class NodeReplacement {
public:
    using Names = std::vector<std::string>;
    using Attributes = std::vector<NodeAttribute>;

    /// The model is converted from opset `from` to opset `to`. `names` has the names of all its values.
    NodeReplacement(const ::onnx::NodeProto& node, KnownValues& values, UniqueNames& names, int from, int to);

    const ::onnx::NodeProto& node() const { return m_node; }
    int from() const { return m_from; }
    int to() const { return m_to; }
    bool hasInput(int index) const { return !input(index).empty(); }
    std::string input(int index) const; ///< empty if it is omitted
    TensorType typeOf(const std::string& name) const { return m_values.typeOf(name); }
    std::optional<std::int64_t> rankOf(const std::string& name) const;
    std::optional<Tensor> contentOf(const std::string& name) const { return m_values.contentOf(name); }
    bool isStoredHere(const std::string& name) const { return m_values.isStoredHere(name); }

    std::string newName(std::string_view suffix); ///< for a value
    /// Emits a node and returns the name of its output.
    std::string add(std::string_view op, const Names& inputs, const Attributes& attributes = {});
    /// The same for the second of two outputs.
    std::string addSecond(std::string_view op, const Names& inputs, const Attributes& attributes);
    std::string constant(const Tensor& tensor);
    std::string ints(const Ints& values) { return constant(Tensor::ints(values)); }
    std::string scalar(ElementType type, double value) { return constant(Tensor::scalar(type, value)); }
    /// Emits the node that computes the outputs of the replaced node.
    void addLast(std::string_view op, const Names& inputs, const Attributes& attributes = {});
    /// The same with a copy of the node, changed by the caller.
    void addLast(::onnx::NodeProto node);

    /// The emitted nodes, in order.
    std::vector<::onnx::NodeProto> take() { return std::move(m_nodes); }

private:
    ::onnx::NodeProto& emit(std::string_view op, const Names& inputs, const Attributes& attributes);

    const ::onnx::NodeProto& m_node;
    KnownValues& m_values;
    UniqueNames& m_names;
    int m_from;
    int m_to;
    std::vector<::onnx::NodeProto> m_nodes;
};

void removeAttribute(::onnx::NodeProto& node, std::string_view name);

/// Adds a node to a graph.
::onnx::NodeProto& addNode(::onnx::GraphProto& graph, std::string_view op, const std::vector<std::string>& inputs,
                           const std::string& output, const std::vector<NodeAttribute>& attributes = {});

} // namespace crosswalk
