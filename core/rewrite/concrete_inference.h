#pragma once

#include "core/graph/tensor.h"
#include "core/graph/tensor_type.h"
#include "core/onnx/proto.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// Infers a model node by node with concrete input shapes, using onnx's inference with data propagation.
class ConcreteInference {
public:
    /// `model` has complete stubs (see external_stubs.h) and must outlive this object.
    explicit ConcreteInference(const ::onnx::ModelProto& model);

    void setInput(const std::string& name, const ::onnx::TypeProto& type);
    void addConstant(const ::onnx::TensorProto& constant);

    /// Infers the node's outputs. Returns a description of the error if the node does not accept these shapes. The
    /// description is empty unless the error is in a body, because inference reports numbers without their origin.
    /// Outputs of unknown operators and of nodes with unknown inputs stay unknown.
    std::optional<std::string> infer(const ::onnx::NodeProto& node);

    /// Dimensions of a tensor; nothing if any of them is unknown.
    std::optional<Ints> dims(const std::string& value) const;
    /// The elements of an integer tensor of rank 0 or 1, if they are known.
    std::optional<Ints> integers(const std::string& value) const;
    int elementType(const std::string& value) const; ///< 0 if unknown
    /// The content of a constant, and of a short list that is computed of constants and dimensions.
    std::optional<Tensor> content(const std::string& value) const;

private:
    void compute(const ::onnx::NodeProto& node);
    void setContent(const std::string& value, const Tensor& content);
    std::string mismatchInside(const ::onnx::GraphProto& body) const;

    std::unordered_map<std::string, int> m_opsets;
    std::deque<::onnx::TypeProto> m_store;
    std::deque<::onnx::TensorProto> m_constants;
    std::unordered_map<std::string, ::onnx::TypeProto*> m_types;
    std::unordered_map<std::string, const ::onnx::TensorProto*> m_contents;
    std::unordered_map<std::string, ::onnx::TensorShapeProto> m_propagated;
};

/// A dimension at the model's original input shapes and at two others. It is dynamic if the three values differ.
using Sizes = std::array<std::int64_t, 3>;
inline bool isChanging(const Sizes& sizes)
{
    return sizes[0] != sizes[1] || sizes[0] != sizes[2];
}

/// Infers a model at three sets of input shapes side by side.
class MultiShapeInference {
public:
    explicit MultiShapeInference(const ::onnx::ModelProto& model)
        : m_models{ConcreteInference(model), ConcreteInference(model), ConcreteInference(model)}
    {
    }
    ConcreteInference& at(std::size_t which) { return m_models[which]; }
    std::size_t count() const { return m_models.size(); }
    const ConcreteInference& before() const { return m_models[0]; }

    void addConstant(const ::onnx::TensorProto& constant);
    /// An error at one of the shapes.
    struct Fault {
        bool isOld = false; ///< occurs at the original shapes already
        std::string why;    ///< as ConcreteInference::infer
        std::string value;  ///< the value with the wrong shape, if known
    };
    std::optional<Fault> infer(const ::onnx::NodeProto& node);

    std::optional<std::vector<Sizes>> dims(const std::string& value) const;
    /// Integers that are equal at all three shapes.
    std::optional<Ints> literals(const std::string& value) const;
    /// The elements of a list of numbers of any type that are equal at all three shapes; none if they are unknown.
    std::vector<std::optional<double>> numbers(const std::string& value) const;

private:
    std::array<ConcreteInference, 3> m_models;
};

} // namespace crosswalk
