#pragma once

#include "core/onnx/schema.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// Infers the types of a model's values one node at a time, as onnx's InferShapes does in strict mode and with data
/// propagation. The caller numbers the values, feeds the nodes in topological order, and need not have them in memory
/// together. onnx's own functions infer operators, bodies and functions.
class NodeInference {
public:
    using ValueIndex = std::uint32_t;
    /// An absent optional operand.
    static constexpr ValueIndex noValue = std::numeric_limits<ValueIndex>::max();

    struct Value {
        const ::onnx::TypeProto* type = nullptr;      ///< declared or inferred
        const ::onnx::TensorProto* content = nullptr; ///< of a constant; complete (see external_stubs.h)
    };

    /// Of `model`, the opset imports, the IR version and the functions count, which must not call each other in a
    /// cycle. It must outlive this object. `indexOf` returns the index of a value or noValue: bodies read by name.
    NodeInference(const ::onnx::ModelProto& model, std::function<ValueIndex(std::string_view)> indexOf);

    /// Symbols that inference must not invent: of the graph's declared types and of its bodies.
    void addSymbols(const ::onnx::GraphProto& graph);

    ValueIndex addValue();
    void addValues(std::size_t count) { m_values.resize(m_values.size() + count); }
    Value& value(ValueIndex index) { return m_values[index]; }
    const Value& value(ValueIndex index) const { return m_values[index]; }
    /// A type that is equal, and is never changed.
    const ::onnx::TypeProto* shared(const ::onnx::TypeProto& type);

    /// Sets the type of a stored value, or compares it with the declared one. Throws onnx's error.
    void setStoredType(ValueIndex index, const ::onnx::TensorProto& stored);
    void setStoredType(ValueIndex index, const ::onnx::TypeProto* sharedType); ///< of sharedTypeOf()
    const ::onnx::TypeProto* sharedTypeOf(const ::onnx::TensorProto& stored);
    void addSparse(ValueIndex index, const ::onnx::SparseTensorProto& stored);

    /// Adds the types of the node's outputs. If its operands do not fit, they stay as declared, and conflicts() has the
    /// reason. Throws onnx's other errors, at which InferShapes stops. A Constant must outlive this object.
    void infer(const ::onnx::NodeProto& node, std::span<const ValueIndex> inputs, std::span<const ValueIndex> outputs);

    /// A line for each node whose operands do not fit.
    const std::string& conflicts() const { return m_conflicts; }

private:
    /// Where one node is in the graph.
    struct Place {
        std::span<const ValueIndex> inputs;
        std::span<const ValueIndex> outputs;
    };

    /// What is known about the values that a node's bodies capture, by name.
    struct Captured {
        std::unordered_map<std::string, ::onnx::TypeProto*> types;
        std::deque<::onnx::TypeProto> copies; ///< the types
        ::onnx::shape_inference::DataValueMap propagated;
    };

    int opsetOf(const ::onnx::NodeProto& node) const;
    void infer(const ::onnx::NodeProto& node, const Place& place, int opset);
    void infer(const ::onnx::NodeProto& node, ::onnx::NodeProto& changeable, const Place& place, int opset);
    void inferCall(const ::onnx::NodeProto& node, const ::onnx::FunctionProto& function,
                   ::onnx::shape_inference::InferenceContextImpl& context);
    void setOperands(const ::onnx::NodeProto& node, const Place& place,
                     ::onnx::shape_inference::InferenceContextImpl& context) const;
    void checkTypes(const ::onnx::OpSchema& schema, ::onnx::shape_inference::InferenceContextImpl& context);
    void propagateData(::onnx::NodeProto& node, const Place& place, const ::onnx::OpSchema& schema);
    Captured captures(const ::onnx::NodeProto& node) const;
    void addConstant(const ::onnx::NodeProto& node, const Place& place);
    void merge(ValueIndex index, ::onnx::TypeProto& inferred);
    Value at(ValueIndex index) const { return index != noValue ? m_values[index] : Value(); }

    const ::onnx::ModelProto& m_model;
    std::function<ValueIndex(std::string_view)> m_indexOf;
    std::unordered_map<std::string, int> m_imports;
    ::onnx::shape_inference::ModelLocalFunctionsMap m_functions;
    std::deque<::onnx::FunctionProto> m_renamed; ///< functions with bodies
    const ::onnx::ShapeInferenceOptions m_options{true, 1, true};
    ::onnx::shape_inference::SymbolTableImpl m_symbols;

    std::vector<Value> m_values;
    std::unordered_map<ValueIndex, const ::onnx::SparseTensorProto*> m_sparse;
    ::onnx::shape_inference::DataValueMap m_propagated;
    std::set<std::vector<std::intptr_t>> m_passed;                     ///< schemas with element types, see checkTypes()
    std::unordered_map<std::string, const ::onnx::TypeProto*> m_types; ///< by content
    std::deque<::onnx::TypeProto> m_store;
    std::deque<::onnx::TensorProto> m_constants;

    bool m_hasUnknownOperator = false;
    std::string m_conflicts;
};

} // namespace crosswalk
