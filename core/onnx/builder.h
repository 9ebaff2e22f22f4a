#pragma once

#include "core/base/budget.h"
#include "core/graph/graph.h"
#include "core/onnx/onnx_model.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace onnx {
class GraphProto;
}

namespace crosswalk {

/// A value of the ONNX graph that is being built. Default-constructed: absent (an optional input left out).
using OnnxValue = Id<struct OnnxValueTag>;
using OnnxValues = BoundsChecked<OnnxValue>;
using Floats = std::vector<float>;

/// A body of Scan, Loop or If, made by OnnxBuilder::endBody.
using OnnxBody = std::shared_ptr<::onnx::GraphProto>;

/// An attribute of an ONNX node. Tensors are for small constants only.
struct OnnxAttribute {
    std::string_view name;
    std::variant<std::int64_t, float, std::string, Ints, Floats, std::vector<std::string>, Tensor, OnnxBody> value;

    OnnxAttribute(std::string_view n, std::int64_t v)
        : name(n)
        , value(v)
    {
    }
    OnnxAttribute(std::string_view n, int v)
        : name(n)
        , value(static_cast<std::int64_t>(v))
    {
    }
    OnnxAttribute(std::string_view n, bool v)
        : name(n)
        , value(static_cast<std::int64_t>(v ? 1 : 0))
    {
    }
    OnnxAttribute(std::string_view n, float v)
        : name(n)
        , value(v)
    {
    }
    OnnxAttribute(std::string_view n, double v)
        : name(n)
        , value(static_cast<float>(v))
    {
    }
    OnnxAttribute(std::string_view n, const char* v)
        : name(n)
        , value(std::string(v))
    {
    }
    OnnxAttribute(std::string_view n, std::string v)
        : name(n)
        , value(std::move(v))
    {
    }
    OnnxAttribute(std::string_view n, Ints v)
        : name(n)
        , value(std::move(v))
    {
    }
    OnnxAttribute(std::string_view n, Floats v)
        : name(n)
        , value(std::move(v))
    {
    }
    OnnxAttribute(std::string_view n, std::vector<std::string> v)
        : name(n)
        , value(std::move(v))
    {
    }
    OnnxAttribute(std::string_view n, Tensor v)
        : name(n)
        , value(std::move(v))
    {
    }
    OnnxAttribute(std::string_view n, OnnxBody v)
        : name(n)
        , value(std::move(v))
    {
    }
};
using OnnxAttributes = std::vector<OnnxAttribute>;

/// Makes an ONNX model node by node and infers as it goes: when add() returns, type and shape of the outputs are
/// known as far as the schema's own inference (with data propagation) knows them.
class OnnxBuilder {
public:
    /// The budget limits what each source node may become.
    explicit OnnxBuilder(int opset, const Budget& budget = Budget());
    ~OnnxBuilder();
    OnnxBuilder(const OnnxBuilder&) = delete;
    OnnxBuilder& operator=(const OnnxBuilder&) = delete;

    int opset() const { return m_opset; }

    OnnxValue input(std::string name, TensorType type);
    /// A weight, under the source's name. Costs nothing in the file when no node uses it.
    OnnxValue weight(std::string name, Tensor tensor);
    /// A constant of the translation; equal small ones are stored once.
    OnnxValue constant(Tensor tensor);
    OnnxValue ints(const Ints& values) { return constant(Tensor::ints(values)); } ///< int64 vector
    OnnxValue scalar(ElementType type, double value) { return constant(Tensor::scalar(type, value)); }

    /// Adds a node and returns its outputs. Returns a constant instead where the node is folded, and the outputs of an
    /// equal node of the same source where there is one. Throws ModelError "shape-conflict" where the schema refuses
    /// it. In the default domain, `op` must be an operator of the opset other than Constant (use constant()); operators
    /// of other domains are opaque.
    OnnxValues add(std::string_view op, const OnnxValues& inputs, const OnnxAttributes& attributes, std::size_t outputs,
                   std::string_view domain = {});
    /// The same for one output.
    OnnxValue add(std::string_view op, const OnnxValues& inputs, const OnnxAttributes& attributes = {});

    ElementType element(OnnxValue value) const;               ///< Undefined where unknown
    const std::optional<Shape>& shape(OnnxValue value) const; ///< nothing where the rank is unknown
    TensorType type(OnnxValue value) const { return {element(value), shape(value)}; }
    /// Content of a constant or weight; null for anything computed. Stays valid until the next add or constant.
    const Tensor* content(OnnxValue value) const;
    /// The type that a Cast converted the value from; Undefined if no Cast computed it.
    ElementType castFrom(OnnxValue value) const;
    /// What data propagation knows of an integer tensor of rank 0 or 1 (a computed shape), constants included.
    std::optional<std::vector<Dim>> integers(OnnxValue value) const;

    /// Declares what the translator knows and inference does not. A contradiction is ModelError "shape-conflict".
    void refine(OnnxValue value, const Shape& shape);
    void refineElement(OnnxValue value, ElementType type);

    /// Name of a value in the file. `name#2` and so on where it is taken. Only the first call for a value counts,
    /// and inputs and weights keep theirs.
    void setName(OnnxValue value, const std::string& name);
    /// Name of the nodes emitted from here on (each unique), and the source nodes that they come from.
    void setSource(std::string name, std::vector<NodeRef> sources);
    const std::string& sourceName() const;
    const std::vector<NodeRef>& source() const;

    /// Output of the model, under exactly this name; a value that is an input, a constant or an output already
    /// goes through Identity, unless it is the input of that name.
    void output(OnnxValue value, const std::string& name);

    /// Opens a body (Scan, Loop, If): inputs and nodes belong to it until endBody. Nodes inside may use any value
    /// made outside before.
    void beginBody();
    OnnxValue bodyInput(TensorType type);
    OnnxBody endBody(const OnnxValues& outputs);
    /// How many bodies are open, and a way out of those opened since: they and their nodes are dropped.
    std::size_t bodyDepth() const;
    void dropBodies(std::size_t depth);

    /// How many nodes have been emitted (dead ones included): what a translator made lies between two counts.
    std::size_t emitted() const;
    /// Bytes of the tensors that are attributes of emitted nodes: the file itself stores them, and protobuf reads up to
    /// 2 GB.
    std::uint64_t attributeBytes() const;

    /// Node i of the finished model and the nodes of its bodies came from sources[i], nodes of the source's own graph:
    /// of a source node in a body, the outermost node around it.
    struct Finished {
        OnnxModel model;
        std::vector<std::vector<NodeId>> sources;
    };
    /// Drops what no output needs, names everything, and hands the model over. `sourceName` writes a source node into
    /// the metadata_props of each node that came from it; without it none are written. The builder is empty afterwards.
    Finished finish(const std::string& graphName, const std::function<std::string(const NodeRef&)>& sourceName);
    /// The file's name of a value, after finish.
    const std::string& name(OnnxValue value) const;

private:
    struct State;
    int m_opset;
    std::unique_ptr<State> m_state;
};

} // namespace crosswalk
