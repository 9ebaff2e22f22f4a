#pragma once

#include "core/onnx/proto.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// A model at concrete sizes of its inputs: onnx's own inference with data propagation, node by node.
class ConcreteInference {
public:
    /// `whole` has complete stubs (see external_stubs.h) and must outlive this.
    explicit ConcreteInference(const ::onnx::ModelProto& whole);

    void setInput(const std::string& name, const ::onnx::TypeProto& type);
    void addConstant(const ::onnx::TensorProto& constant);

    /// What inference has against the node at these sizes; nothing where it fits. Where it is something in a body that
    /// is said, else the text is empty: inference knows numbers, and not where they come from. Outputs of unknown
    /// operators, and behind unknown inputs, stay unknown.
    std::optional<std::string> infer(const ::onnx::NodeProto& node);

    /// Dimensions of a tensor; nothing where one of them is not known.
    std::optional<std::vector<std::int64_t>> dims(const std::string& value) const;
    /// The elements of an integer tensor of rank 0 or 1, where they are known.
    std::optional<std::vector<std::int64_t>> integers(const std::string& value) const;
    int elementType(const std::string& value) const; ///< 0 where unknown

private:
    std::string faultInside(const ::onnx::GraphProto& body) const;

    std::unordered_map<std::string, int> m_opsets;
    std::deque<::onnx::TypeProto> m_store;
    std::deque<::onnx::TensorProto> m_constants;
    std::unordered_map<std::string, ::onnx::TypeProto*> m_types;
    std::unordered_map<std::string, const ::onnx::TensorProto*> m_contents;
    std::unordered_map<std::string, ::onnx::TensorShapeProto> m_propagated;
};

/// The sizes of a dimension as the model was, and at two others: what does not change with its inputs is told from what
/// does.
using Sizes = std::array<std::int64_t, 3>;
inline bool isChanging(const Sizes& sizes)
{
    return sizes[0] != sizes[1] || sizes[0] != sizes[2];
}

/// One model at three sizes side by side.
class MultiShapeInference {
public:
    explicit MultiShapeInference(const ::onnx::ModelProto& whole)
        : m_models{ConcreteInference(whole), ConcreteInference(whole), ConcreteInference(whole)}
    {
    }
    ConcreteInference& at(std::size_t which) { return m_models[which]; }
    const ConcreteInference& before() const { return m_models[0]; }

    void addConstant(const ::onnx::TensorProto& constant);
    /// What is wrong at the new sizes, or at all.
    struct Fault {
        bool isOld = false; ///< at the old sizes already
        std::string why;    ///< as ConcreteInference::infer
        std::string value;  ///< what does not fit, where that is known
    };
    std::optional<Fault> infer(const ::onnx::NodeProto& node);

    std::optional<std::vector<Sizes>> dims(const std::string& value) const;
    /// Integers that are the same at all sizes.
    std::optional<std::vector<std::int64_t>> literals(const std::string& value) const;

private:
    std::array<ConcreteInference, 3> m_models;
};

} // namespace crosswalk
