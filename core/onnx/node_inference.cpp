#include "core/onnx/node_inference.h"

#include "core/onnx/external_stubs.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/schemas.h"
#include "core/onnx/unique_bodies.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace crosswalk {
namespace {

using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::TypeProto;
using ::onnx::shape_inference::DataValueMap;
using ::onnx::shape_inference::InferenceContextImpl;

/// The key of a function among those of a model, and of the function that a node calls.
std::string functionKey(const std::string& domain, const std::string& name, const std::string& overload)
{
    return overload.empty() ? fmt::format("{}:{}", domain, name) : fmt::format("{}:{}:{}", domain, name, overload);
}

/// The output of a Constant that has an attribute of numbers; nothing for other attributes.
std::optional<TensorProto> constantOf(const AttributeProto& attribute)
{
    TensorProto tensor;
    switch (attribute.type()) {
    case AttributeProto::INT:
        tensor.set_data_type(TensorProto::INT64);
        tensor.add_int64_data(attribute.i());
        return tensor;
    case AttributeProto::FLOAT:
        tensor.set_data_type(TensorProto::FLOAT);
        tensor.add_float_data(attribute.f());
        return tensor;
    case AttributeProto::INTS:
        tensor.set_data_type(TensorProto::INT64);
        tensor.add_dims(attribute.ints_size());
        *tensor.mutable_int64_data() = attribute.ints();
        return tensor;
    case AttributeProto::FLOATS:
        tensor.set_data_type(TensorProto::FLOAT);
        tensor.add_dims(attribute.floats_size());
        *tensor.mutable_float_data() = attribute.floats();
        return tensor;
    default:
        return std::nullopt;
    }
}

/// The type of a stored tensor, dense or sparse.
template <typename Stored>
void setStored(TypeProto& type, int element, const Stored& stored)
{
    type.mutable_tensor_type()->set_elem_type(element);
    auto* shape = type.mutable_tensor_type()->mutable_shape();
    for (const std::int64_t dim : stored.dims()) {
        shape->add_dim()->set_dim_value(dim);
    }
}

} // namespace

NodeInference::NodeInference(const ::onnx::ModelProto& model, std::function<ValueIndex(std::string_view)> indexOf)
    : m_model(model)
    , m_indexOf(std::move(indexOf))
    , m_imports(opsetImports(model))
{
    for (const FunctionProto& function : model.functions()) {
        const FunctionProto* inferred = &function;
        if (std::ranges::any_of(function.node(), hasBody)) {
            makeBodiesUnique(m_renamed.emplace_back(function));
            inferred = &m_renamed.back();
        }
        m_functions.emplace(functionKey(function.domain(), function.name(), function.overload()), inferred);
    }
}

void NodeInference::addSymbols(const ::onnx::GraphProto& graph)
{
    ::onnx::shape_inference::TraverseGraphsToAddExistingSymbols(graph, m_symbols);
}

NodeInference::ValueIndex NodeInference::addValue()
{
    m_values.emplace_back();
    return static_cast<ValueIndex>(m_values.size() - 1);
}

const TypeProto* NodeInference::shared(const TypeProto& type)
{
    const auto [entry, isNew] = m_types.try_emplace(type.SerializeAsString(), nullptr);
    if (isNew) {
        entry->second = &m_store.emplace_back(type);
    }
    return entry->second;
}

const TypeProto* NodeInference::sharedTypeOf(const TensorProto& stored)
{
    TypeProto type;
    setStored(type, stored.data_type(), stored);
    return shared(type);
}

void NodeInference::setStoredType(ValueIndex index, const TensorProto& stored)
{
    setStoredType(index, sharedTypeOf(stored));
}

void NodeInference::addSparse(ValueIndex index, const ::onnx::SparseTensorProto& stored)
{
    m_sparse[index] = &stored;
    TypeProto type; // that of the nodes that read it: they take dense tensors
    setStored(type, stored.values().data_type(), stored);
    setStoredType(index, shared(type));
}

void NodeInference::setStoredType(ValueIndex index, const TypeProto* sharedType)
{
    constexpr std::int64_t firstUnlisted = 4; // before, every weight is an input as well
    Value& value = m_values[index];
    if (value.type != nullptr) {
        ::onnx::shape_inference::checkShapesAndTypes(*sharedType, *value.type);
    } else if (m_model.ir_version() >= firstUnlisted) {
        value.type = sharedType;
    }
}

/// InferShapes collects what is wrong at single nodes, and stops at any other error.
void NodeInference::infer(const NodeProto& node, std::span<const ValueIndex> inputs,
                          std::span<const ValueIndex> outputs)
{
    assert(inputs.size() == static_cast<std::size_t>(node.input_size()));
    assert(outputs.size() == static_cast<std::size_t>(node.output_size()));
    const int opset = opsetOf(node);
    try {
        infer(node, Place{inputs, outputs}, opset);
    } catch (const ::onnx::InferenceError& error) {
        if (!m_hasUnknownOperator) { // else the types of operands can be unknown
            m_conflicts += ::onnx::shape_inference::GetErrorWithNodeInfo(node, error) + "\n";
        }
    } catch (const std::runtime_error& error) {
        fail_shape_inference(::onnx::shape_inference::GetErrorWithNodeInfo(node, error));
    }
}

int NodeInference::opsetOf(const NodeProto& node) const
{
    auto import = m_imports.find(node.domain());
    if (import == m_imports.end() && node.domain().empty()) {
        import = m_imports.find("ai.onnx");
    }
    if (import == m_imports.end()) {
        fail_type_inference("Cannot infer type and shape for node name ", node.name(), ". No opset import for domain ",
                            node.domain(), " optype ", node.op_type());
    }
    return import->second;
}

void NodeInference::infer(const NodeProto& node, const Place& place, int opset)
{
    if (hasBody(node)) {
        NodeProto copy = node; // inference writes into bodies
        makeBodiesUnique(copy);
        infer(node, copy, place, opset);
    } else {
        infer(node, const_cast<NodeProto&>(node), place, opset); // which is not changed
    }
}

/// `changeable` is the node or a copy of it.
void NodeInference::infer(const NodeProto& node, NodeProto& changeable, const Place& place, int opset)
{
    const ::onnx::OpSchema* schema = schemas().GetSchema(node.op_type(), opset, node.domain());
    const auto function = schema == nullptr && !m_functions.empty()
                              ? m_functions.find(functionKey(node.domain(), node.op_type(), node.overload()))
                              : m_functions.end();
    if (schema == nullptr && function == m_functions.end()) {
        m_hasUnknownOperator = true;
        return;
    }
    Captured captured = hasBody(node) ? captures(node) : Captured();
    std::optional<::onnx::shape_inference::GraphInferenceContext> bodies;
    if (hasBody(node)) {
        bodies.emplace(captured.types, m_imports, &m_symbols, m_functions, &schemas(), &captured.propagated,
                       m_model.ir_version());
    }
    InferenceContextImpl context(changeable, {}, {}, {}, m_options, nullptr, bodies ? &*bodies : nullptr);
    setOperands(node, place, context);
    if (schema == nullptr) {
        inferCall(node, *function->second, context);
    } else if (schema->has_type_and_shape_inference_function()) {
        schema->GetTypeAndShapeInferenceFunction()(context);
    } else if (schema->HasFunction()) {
        inferCall(node, *schema->GetFunction(), context);
    }
    if (schema != nullptr) {
        checkTypes(*schema, context);
    }
    for (int i = 0; i < node.output_size(); ++i) {
        if (!node.output(i).empty()) {
            const auto index = static_cast<std::size_t>(i);
            merge(place.outputs[index], context.allOutputTypes_[index]);
        }
    }
    addConstant(node, place);
    if (schema != nullptr && schema->has_data_propagation_function()) {
        propagateData(changeable, place, *schema);
    }
}

/// onnx compares names of types, which takes longer than inference. Of tensors only the element types count: what
/// has passed once passes again.
void NodeInference::checkTypes(const ::onnx::OpSchema& schema, InferenceContextImpl& context)
{
    std::vector<std::intptr_t> key{reinterpret_cast<std::intptr_t>(&schema)};
    const auto isTensor = [&key](const TypeProto& type) {
        key.push_back(type.tensor_type().elem_type());
        return type.has_tensor_type();
    };
    constexpr std::intptr_t absent = -1;
    bool isPlain = true;
    for (const TypeProto* type : context.allInputTypes_) {
        if (type == nullptr) {
            key.push_back(absent);
        } else {
            isPlain = isTensor(*type) && isPlain;
        }
    }
    key.push_back(absent);
    isPlain = std::ranges::all_of(context.allOutputTypes_, isTensor) && isPlain;
    if (!isPlain || !m_passed.contains(key)) {
        schema.CheckInputOutputType(context);
        if (isPlain) {
            m_passed.insert(std::move(key));
        }
    }
}

void NodeInference::propagateData(NodeProto& node, const Place& place, const ::onnx::OpSchema& schema)
{
    ::onnx::shape_inference::DataPropagationContextImpl context(node, {}, {}, m_propagated);
    for (std::size_t i = 0; i < place.inputs.size(); ++i) {
        const Value operand = at(place.inputs[i]);
        context.allInputTypes_[i] = operand.type;
        context.allInputData_[i] = operand.content;
    }
    schema.GetDataPropagationFunction()(context);
}

/// What the context's constructor would find in tables with all values of the model.
void NodeInference::setOperands(const NodeProto& node, const Place& place, InferenceContextImpl& context) const
{
    for (std::size_t i = 0; i < place.inputs.size(); ++i) {
        const Value operand = at(place.inputs[i]);
        context.allInputTypes_[i] = operand.type;
        context.allInputData_[i] = operand.content;
        if (operand.content != nullptr) {
            continue;
        }
        if (const auto sparse = m_sparse.find(place.inputs[i]); sparse != m_sparse.end()) {
            context.allInputSparseData_[i] = sparse->second;
        } else if (const auto data = m_propagated.find(node.input(static_cast<int>(i))); data != m_propagated.end()) {
            context.allShapeInputData_[i] = &data->second;
        }
    }
}

/// A copy, because a body can write into it. What it adds is of use only in the bodies: other nodes can have values of
/// the same names.
NodeInference::Captured NodeInference::captures(const NodeProto& node) const
{
    Captured captured;
    forEachCapture(node, [&](const std::string& name) {
        const TypeProto* type = at(m_indexOf(name)).type;
        if (type != nullptr && !captured.types.contains(name)) {
            captured.types[name] = &captured.copies.emplace_back(*type);
        }
        if (const auto data = m_propagated.find(name); data != m_propagated.end()) {
            captured.propagated.insert(*data);
        }
    });
    return captured;
}

void NodeInference::inferCall(const NodeProto& node, const FunctionProto& function, InferenceContextImpl& context)
{
    DataValueMap inside;
    for (int i = 0; i < std::min(node.input_size(), function.input_size()); ++i) {
        if (const auto data = m_propagated.find(node.input(i)); data != m_propagated.end()) {
            inside[function.input(i)] = data->second;
        }
    }
    ::onnx::shape_inference::InferShapeForFunctionNode(function, &schemas(), context, m_options, m_functions,
                                                       &m_symbols, &inside);
    for (int i = 0; i < std::min(node.output_size(), function.output_size()); ++i) {
        const auto data = inside.find(function.output(i));
        if (!node.output(i).empty() && data != inside.end()) {
            m_propagated[node.output(i)] = data->second;
        }
    }
}

void NodeInference::merge(ValueIndex index, TypeProto& inferred)
{
    if (inferred.value_case() == TypeProto::VALUE_NOT_SET) {
        return;
    }
    ::onnx::shape_inference::MaterializeSymbolicShape(&inferred, m_symbols);
    Value& value = m_values[index];
    if (value.type == nullptr) {
        value.type = shared(inferred);
        return;
    }
    TypeProto merged = *value.type;
    ::onnx::shape_inference::mergeShapesAndTypes(inferred, &merged);
    value.type = shared(merged);
}

/// The content of a Constant is known to the nodes that read it.
void NodeInference::addConstant(const NodeProto& node, const Place& place)
{
    const bool isConstant = isOnnxDomain(node.domain()) && node.op_type() == "Constant";
    if (!isConstant || node.output_size() != 1) {
        return;
    }
    const ValueIndex output = place.outputs[0];
    for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.name() != "value") {
            if (auto numbers = constantOf(attribute)) {
                m_values[output].content = &m_constants.emplace_back(std::move(*numbers));
            }
        } else if (attribute.type() == AttributeProto::TENSOR && attribute.has_t()) {
            m_values[output].content = &attribute.t();
        } else if (attribute.type() == AttributeProto::SPARSE_TENSOR && attribute.has_sparse_tensor()) {
            m_sparse[output] = &attribute.sparse_tensor();
        }
    }
}

} // namespace crosswalk
