#pragma once

#include "core/base/budget.h"
#include "core/base/copy_on_write.h"
#include "core/graph/attribute_value.h"
#include "core/graph/ids.h"
#include "core/graph/tensor.h"
#include "crosswalk/problem.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// What a value without producer and without tensor is to its consumers: decides whether it is an input of the
/// model, a missing weight, or something that inference drops.
enum class Role : std::uint8_t { Data, Parameter, Label };

/// What flows along an edge: an output of a node, an input of the graph, or a stored tensor.
struct Value {
    std::string name;
    ValueType type = {};
    NodeId producer = {}; ///< none for inputs and stored tensors
    std::uint32_t producerOutput = 0;
    TensorId tensor = {}; ///< its content where the file stores it
    Role role = Role::Data;
};

/// A node at any depth of a model.
struct NodeRef {
    GraphPath path; ///< to the graph that has the node
    NodeId node;
    friend auto operator<=>(const NodeRef&, const NodeRef&) = default; // NOLINT(modernize-use-nullptr)
};

struct Node {
    std::string op;
    std::string domain = {}; ///< ONNX operator domain; empty elsewhere
    std::string name = {};   ///< as in the file; may repeat, may be empty
    ValueIds inputs = {};    ///< an absent optional input is ValueId{}
    ValueIds outputs = {};
    std::vector<Attribute> attributes = {};
    std::vector<NodeId> controlInputs = {}; ///< nodes that run before this one though no value of theirs is read
    std::vector<NodeRef> origins = {};      ///< of a lowered graph's node: the nodes of the source that it comes from

    const AttributeValue* attribute(std::string_view attributeName) const;
};

/// Neutral form of a model: every format is read into it. Nodes are in topological order unless hasCycles. Built by a
/// reader, then frozen and shared as std::shared_ptr<const Graph>. A copy shares nodes and tensors until one of the two
/// graphs changes them: what changes most often is the type of a value.
class Graph {
public:
    /// A function of the model, which nodes refer to by name (FunctionReference, or a node whose operator is the name).
    struct Function {
        std::string name;
        SubgraphId body;
    };
    struct Capture {
        ValueId inner; ///< a value of this graph without producer
        ValueId outer; ///< what it stands for in the graph around it
    };

    // What a reader fills in.
    std::string format;   ///< Framework::format, such as "onnx"
    std::string producer; ///< the framework by its name, or the producer that the file names
    std::string version;  ///< of the framework, "1.9.1"; empty when the file does not say
    std::string name;
    std::int64_t irVersion = 0;                          ///< ONNX's; 0 elsewhere
    std::map<std::string, std::int64_t> opsets;          ///< ONNX: domain to version
    std::map<std::string, std::string> metadata;         ///< key to value, as the file has it
    ValueIds inputs;                                     ///< values the user feeds; see Value::role for those left open
    ValueIds outputs;                                    ///< in the source's order; may repeat
    std::vector<Capture> captures;                       ///< of a subgraph
    std::vector<std::shared_ptr<const Graph>> subgraphs; ///< bodies that attributes and functions refer to
    std::vector<Function> functions;                     ///< the model's own; names are unique
    bool hasCycles = false;                              ///< edges lead back to earlier nodes; lowering removes them
    std::shared_ptr<const void> original;                ///< what the format keeps of the file, for itself alone
    Budget budget = Budget();                            ///< of the whole model; not of bodies and functions

    NodeId addNode(Node node); ///< its outputs are made by addOutput
    ValueId addValue(Value value);
    ValueId addOutput(NodeId producer, std::string valueName);
    TensorId addTensor(Tensor tensor);
    SubgraphId addSubgraph(std::shared_ptr<const Graph> subgraph);
    void reserve(std::size_t nodes, std::size_t values, std::size_t tensors = 0);

    std::size_t nodeCount() const { return m_nodes.read().size(); }
    std::size_t valueCount() const { return m_values.size(); }
    std::size_t tensorCount() const { return m_tensors.read().size(); }
    Node& node(NodeId id) { return checked(m_nodes.write(), id.index); }
    const Node& node(NodeId id) const { return checked(m_nodes.read(), id.index); }
    Value& value(ValueId id) { return checked(m_values, id.index); }
    const Value& value(ValueId id) const { return checked(m_values, id.index); }
    const Tensor& tensor(TensorId id) const { return checked(m_tensors.read(), id.index); }
    const Graph& subgraph(SubgraphId id) const { return *checked(subgraphs, id.index); }
    std::span<const Node> nodes() const { return m_nodes.read(); }
    std::span<const Value> values() const { return m_values; }
    /// Whether both are copies of one graph, and neither has changed its nodes since.
    bool sharesNodesWith(const Graph& other) const { return m_nodes.isSharedWith(other.m_nodes); }
    /// Content of a stored value, null for any other.
    const Tensor* tensorOf(ValueId id) const;

    std::optional<ValueId> findInput(std::string_view inputName) const;
    /// Null where the model has no function of that name.
    const Graph* findFunction(std::string_view functionName) const;

private:
    /// Throws std::out_of_range, above all for an absent optional input where a translator requires the input.
    static auto checked(auto& items, std::uint32_t index) -> decltype(items[index]) { return items.at(index); }

    CopyOnWrite<std::vector<Node>> m_nodes;
    std::vector<Value> m_values;
    CopyOnWrite<std::vector<Tensor>> m_tensors;
};

/// How nodes are written to the user and by the user: the name, `name#index` where the name repeats, `op#index`
/// where there is none. Refers to the graph, which must stay and stay unchanged.
class NodeNames {
public:
    explicit NodeNames(const Graph& graph);
    std::string of(NodeId id) const;
    /// The node that is written so; nothing where none is, or where a repeated name stands without its index.
    std::optional<NodeId> find(std::string_view written) const;

private:
    struct Entry {
        NodeId first;
        std::uint32_t count = 0;
    };
    const Graph& m_graph;
    std::unordered_map<std::string_view, Entry> m_byName;
};

/// The graph at the end of a path; null where a step leads to no body of its graph.
const Graph* graphAt(const Graph& model, const GraphPath& path);

/// Nodes that read a value, for every value, in one table.
class Consumers {
public:
    explicit Consumers(const Graph& graph);
    std::span<const NodeId> of(ValueId value) const;

private:
    std::vector<std::uint32_t> m_first;
    std::vector<NodeId> m_nodes;
};

} // namespace crosswalk
