#pragma once

// What OnnxBuilder keeps; for builder*.cpp alone.

#include "core/onnx/builder.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace crosswalk {

struct OnnxBuilder::State {
    explicit State(int opsetVersion)
        : opset(opsetVersion)
    {
        scopes.emplace_back();
    }

    struct Known {
        std::string id;   ///< name while building: "%12"
        std::string name; ///< name in the file; empty until finish where nothing named it
        std::string base; ///< of a constant: what it is named after
        ElementType element = ElementType::Undefined;
        std::optional<Shape> shape;
        std::optional<Tensor> content;
        ::onnx::TypeProto proto;
        ::onnx::TensorProto stub;
    };
    struct Emitted {
        ::onnx::NodeProto proto; ///< inputs and outputs by id
        std::string base;        ///< what it is named after
        std::vector<NodeRef> sources;
    };
    struct Scope {
        std::vector<Emitted> nodes;
        OnnxValues inputs;
    };
    struct Output {
        OnnxValue value;
        std::string name;
    };

    Known& at(OnnxValue value)
    {
        assert(value.index < values.size());
        return values[value.index];
    }
    static std::string idName(OnnxValue value) { return "%" + std::to_string(value.index); }
    OnnxValue valueOf(const std::string& id) const
    {
        return OnnxValue{static_cast<std::uint32_t>(std::stoul(id.substr(1)))};
    }

    OnnxValue addValue(TensorType type);
    OnnxValue addConstant(Tensor tensor);
    void setType(OnnxValue value, const TensorType& type);
    void infer(::onnx::NodeProto& node, const OnnxValues& results);
    /// What the node gives where all of its inputs are constants and nothing stands against computing it here.
    std::optional<Tensor> fold(const ::onnx::NodeProto& node, const OnnxValues& inputs, const OnnxValues& results);
    /// The value's name (its id while `byId`) and type as a ValueInfoProto.
    void describe(OnnxValue value, ::onnx::ValueInfoProto& info, bool byId);
    /// Keeps the source nodes with a node of a body until finish, which knows how to write them.
    void markSources(Emitted& emitted);
    /// Leaves out outputs that nothing needs, where the operator's schema has them optional.
    void dropUnneededOutputs(::onnx::NodeProto& node, const std::vector<char>& needed) const;
    void dropDead(std::vector<Emitted>& nodes, const OnnxValues& outputs);

    int opset;
    std::deque<Known> values; ///< a deque: inference holds pointers into it
    OnnxValues inputs;
    std::vector<Output> outputs;
    std::vector<Scope> scopes;
    std::unordered_map<std::string, OnnxValue> shared; ///< small constants by content
    /// What the current source node's nodes gave, by node without outputs: an equal one is not emitted again.
    std::unordered_map<std::string, OnnxValues> repeatable;
    std::string sourceName;
    std::vector<NodeRef> sources;
    std::vector<std::vector<NodeRef>> bodySources; ///< of the nodes of closed bodies, by the number that marks them
    std::size_t emitted = 0;
    std::uint64_t nextSymbol = 0;

    // What onnx's inference looks into, by id.
    std::unordered_map<std::string, ::onnx::TypeProto*> types;
    std::unordered_map<std::string, const ::onnx::TensorProto*> contents;
    std::unordered_map<std::string, ::onnx::TensorShapeProto> propagated;
};

} // namespace crosswalk
