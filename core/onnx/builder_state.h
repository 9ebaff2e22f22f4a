#pragma once

// Private state of OnnxBuilder. Only builder*.cpp include this file.

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/onnx/builder.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk {

struct OnnxBuilder::State {
    State(int opsetVersion, const Budget& budgetOfModel)
        : opset(opsetVersion)
        , budget(budgetOfModel)
    {
        scopes.emplace_back();
    }

    struct Known {
        std::string id;   ///< name while building: "%12"
        std::string name; ///< name in the file; may be empty until finish()
        std::string base; ///< for a constant: the prefix of its name
        ElementType element = ElementType::Undefined;
        std::optional<Shape> shape;
        std::optional<Tensor> content;
        ElementType castFrom = ElementType::Undefined;
        bool isInput = false;  ///< of the model
        bool isOutput = false; ///< of the model
        ::onnx::TypeProto proto;
        ::onnx::TensorProto stub;
    };
    struct Emitted {
        ::onnx::NodeProto proto; ///< inputs and outputs by id
        std::string base;        ///< prefix of its name
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
        if (!value) { // files leave operands out
            throw ModelError("invalid-model", "an operand that it requires is absent");
        }
        assert(value.index < values.size());
        return values[value.index];
    }
    static std::string idName(OnnxValue value) { return "%" + std::to_string(value.index); }
    OnnxValue valueOf(const std::string& id) const
    {
        return OnnxValue{static_cast<std::uint32_t>(std::stoul(id.substr(1)))};
    }

    /// Counts a constant, or a node with so many outputs. Throws ModelError "too-large" if there are too many for one
    /// source node.
    void countEmitted(std::size_t outputs);
    OnnxValue addValue(TensorType type);
    OnnxValue addConstant(Tensor tensor);
    void setType(OnnxValue value, const TensorType& type);
    void infer(::onnx::NodeProto& node, const OnnxValues& results);
    std::optional<std::vector<Dim>> integers(OnnxValue value) const;
    /// Stores the elements of a result that is computed from known sizes.
    void propagateSizes(const ::onnx::NodeProto& node, const OnnxValues& inputs, const OnnxValues& results);
    /// The constants among the inputs, null for the others.
    std::vector<const Tensor*> contentsOf(const OnnxValues& inputs);
    /// The output of the node, if all inputs are constants and the node is foldable.
    std::optional<Tensor> fold(const ::onnx::NodeProto& node, const OnnxValues& inputs,
                               std::span<const Tensor* const> contents, const OnnxValues& results);
    /// Writes the value's name (its id if `byId`) and type into a ValueInfoProto.
    void describe(OnnxValue value, ::onnx::ValueInfoProto& info, bool byId);
    /// Attaches the source nodes to a node of a body until finish() records them.
    void markSources(Emitted& emitted);
    /// Omits unused outputs that are optional in the operator's schema.
    void dropUnneededOutputs(::onnx::NodeProto& node, const std::vector<char>& needed) const;
    void dropDead(std::vector<Emitted>& nodes, const OnnxValues& outputs);

    int opset;
    Budget budget;            ///< of the source
    std::deque<Known> values; ///< a deque because inference keeps pointers to its elements
    std::uint64_t attributeBytes = 0;
    OnnxValues inputs;
    std::vector<Output> outputs;
    std::vector<Scope> scopes;
    std::unordered_map<std::string, OnnxValue> shared; ///< small constants by content
    /// Outputs of the nodes emitted for the current source node, by serialized node without outputs. Reused for an
    /// equal node.
    std::unordered_map<std::string, OnnxValues> repeatable;
    std::string sourceName;
    std::vector<NodeRef> sources;
    std::vector<std::vector<NodeRef>> bodySources; ///< for nodes of closed bodies, by the index in their metadata_props
    std::size_t emitted = 0;
    std::uint64_t emittedOfSource = 0; ///< outputs for the current source node, also of nodes that are folded or reused
    std::uint64_t nextSymbol = 0;

    // Inputs of onnx's shape inference, by id.
    std::unordered_map<std::string, ::onnx::TypeProto*> types;
    std::unordered_map<std::string, const ::onnx::TensorProto*> contents;
    std::unordered_map<std::string, ::onnx::TensorShapeProto> propagated;
};

} // namespace crosswalk
