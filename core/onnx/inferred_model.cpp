#include "core/onnx/inferred_model.h"

#include "core/graph/generated_names.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/generated_symbols.h"
#include "core/onnx/node.h"
#include "core/onnx/onnx_model.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/schemas.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <new>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::TypeProto;
using ::onnx::shape_inference::DataValueMap;

/// The key of a function among those of a model, and of the function that a node calls.
std::string functionKey(const std::string& domain, const std::string& name, const std::string& overload)
{
    return overload.empty() ? fmt::format("{}:{}", domain, name) : fmt::format("{}:{}:{}", domain, name, overload);
}

std::unordered_map<std::string, int> opsetImports(const ::onnx::ModelProto& model)
{
    std::unordered_map<std::string, int> imports;
    for (const auto& import : model.opset_import()) {
        imports[import.domain()] = static_cast<int>(import.version());
    }
    return imports;
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
template <typename Type, typename Stored>
void setStored(Type& type, int element, const Stored& stored)
{
    type.set_elem_type(element);
    auto* shape = type.mutable_shape();
    for (const std::int64_t dim : stored.dims()) {
        shape->add_dim()->set_dim_value(dim);
    }
}

} // namespace

class InferredModel::Inference {
public:
    Inference(const OnnxModel& model, Declared declared)
        : m_model(*model.proto)
        , m_imports(opsetImports(m_model))
        , m_symbolsOfModel(statedSymbols(m_model.graph()))
    {
        for (const FunctionProto& function : m_model.functions()) {
            m_functions.emplace(functionKey(function.domain(), function.name(), function.overload()), &function);
        }
        const GraphProto& graph = m_model.graph();
        m_values.reserve(static_cast<std::size_t>(graph.initializer_size()) +
                         static_cast<std::size_t>(graph.node_size()));
        declareAll(graph, declared);
        try {
            ::onnx::checker::check_function_call_cycles(m_model);
            ::onnx::shape_inference::TraverseGraphsToAddExistingSymbols(graph, m_symbols);
            for (int i = 0; i < graph.initializer_size(); ++i) {
                addStored(graph.initializer(i), model.weights[static_cast<std::size_t>(i)]);
            }
            for (const auto& stored : graph.sparse_initializer()) {
                addStored(stored);
            }
            for (const NodeProto& node : graph.node()) {
                inferChecked(node);
            }
            if (!m_conflicts.empty()) {
                m_error = "[ShapeInferenceError] Inference error(s): " + m_conflicts;
            }
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            m_error = error.what();
        }
    }

    const TypeProto* find(std::string_view name) const { return at(name).type; }

    bool isInvented(const std::string& symbol) const
    {
        return isGeneratedSymbol(symbol) && !m_symbolsOfModel.contains(symbol);
    }

    const std::optional<std::string>& error() const { return m_error; }

private:
    struct Known {
        const TypeProto* type = nullptr;
        const TensorProto* content = nullptr;
    };

    /// One that is equal, and is never changed.
    const TypeProto* shared(const TypeProto& type)
    {
        const auto [entry, isNew] = m_types.try_emplace(type.SerializeAsString(), nullptr);
        if (isNew) {
            entry->second = &m_store.emplace_back(type);
        }
        return entry->second;
    }

    void declareAll(const GraphProto& graph, Declared declared)
    {
        const auto declare = [this](const auto& infos) {
            for (const auto& info : infos) {
                if (info.has_type()) {
                    m_values[info.name()].type = &info.type();
                }
            }
        };
        if (declared == Declared::All) {
            declare(graph.value_info());
        }
        declare(graph.input());
        declare(graph.output());
        if (declared == Declared::All) {
            return;
        }
        for (const auto& output : graph.output()) {
            if (output.type().has_tensor_type()) {
                TypeProto type = output.type();
                type.mutable_tensor_type()->clear_shape();
                m_values[output.name()].type = shared(type);
            }
        }
    }

    void addStored(const TensorProto& stub, const Tensor& content)
    {
        Known& known = m_values[stub.name()];
        known.content = isComplete(stub, content) ? &stub : &m_constants.emplace_back(completed(stub, content));
        TypeProto type;
        setStored(*type.mutable_tensor_type(), stub.data_type(), stub);
        addStoredType(known, type);
    }

    void addStored(const ::onnx::SparseTensorProto& stored)
    {
        m_sparse[stored.values().name()] = &stored;
        TypeProto type;
        setStored(*type.mutable_sparse_tensor_type(), stored.values().data_type(), stored);
        addStoredType(m_values[stored.values().name()], type);
    }

    void addStoredType(Known& known, const TypeProto& type)
    {
        constexpr std::int64_t firstUnlisted = 4; // before, every weight is an input as well
        if (known.type != nullptr) {
            ::onnx::shape_inference::checkShapesAndTypes(type, *known.type);
        } else if (m_model.ir_version() >= firstUnlisted) {
            known.type = shared(type);
        }
    }

    /// InferShapes collects what is wrong at single nodes, and stops at any other error.
    void inferChecked(const NodeProto& node)
    {
        const int opset = opsetOf(node);
        try {
            infer(node, opset);
        } catch (const ::onnx::InferenceError& error) {
            if (!m_hasUnknownOperator) { // else the types of operands can be unknown
                m_conflicts += ::onnx::shape_inference::GetErrorWithNodeInfo(node, error) + "\n";
            }
        } catch (const std::runtime_error& error) {
            fail_shape_inference(::onnx::shape_inference::GetErrorWithNodeInfo(node, error));
        }
    }

    int opsetOf(const NodeProto& node) const
    {
        auto import = m_imports.find(node.domain());
        if (import == m_imports.end() && node.domain().empty()) {
            import = m_imports.find("ai.onnx");
        }
        if (import == m_imports.end()) {
            fail_type_inference("Cannot infer type and shape for node name ", node.name(),
                                ". No opset import for domain ", node.domain(), " optype ", node.op_type());
        }
        return import->second;
    }

    void infer(const NodeProto& node, int opset)
    {
        if (hasBody(node) || lacksDefaultAxes(node)) {
            NodeProto copy = node; // inference writes into bodies
            if (lacksDefaultAxes(node)) {
                addDefaultAxes(copy);
            }
            infer(node, copy, opset);
        } else {
            infer(node, const_cast<NodeProto&>(node), opset); // which is not changed
        }
    }

    /// `changeable` is the node or a copy of it.
    void infer(const NodeProto& node, NodeProto& changeable, int opset)
    {
        const ::onnx::OpSchema* schema = schemas().GetSchema(node.op_type(), opset, node.domain());
        const auto function = schema == nullptr && !m_functions.empty()
                                  ? m_functions.find(functionKey(node.domain(), node.op_type(), node.overload()))
                                  : m_functions.end();
        if (schema == nullptr && function == m_functions.end()) {
            m_hasUnknownOperator = true;
            return;
        }
        std::deque<TypeProto> outside;
        std::optional<::onnx::shape_inference::GraphInferenceContext> bodies;
        if (hasBody(node)) {
            bodies.emplace(typesForBodies(node, outside), m_imports, &m_symbols, m_functions, &schemas(), &m_propagated,
                           m_model.ir_version());
        }
        ::onnx::shape_inference::InferenceContextImpl context(changeable, {}, {}, {}, m_options, nullptr,
                                                              bodies ? &*bodies : nullptr);
        setOperands(node, context);
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
                merge(node.output(i), context.allOutputTypes_[static_cast<std::size_t>(i)]);
            }
        }
        addConstant(node);
        if (schema != nullptr && schema->has_data_propagation_function()) {
            propagateData(node, changeable, *schema);
        }
    }

    /// onnx compares names of types, which takes longer than inference. Of tensors only the element types count: what
    /// has passed once passes again.
    void checkTypes(const ::onnx::OpSchema& schema, ::onnx::shape_inference::InferenceContextImpl& context)
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

    void propagateData(const NodeProto& node, NodeProto& changeable, const ::onnx::OpSchema& schema)
    {
        ::onnx::shape_inference::DataPropagationContextImpl context(changeable, {}, {}, m_propagated);
        for (int i = 0; i < node.input_size(); ++i) {
            const auto index = static_cast<std::size_t>(i);
            const Known known = at(node.input(i));
            context.allInputTypes_[index] = known.type;
            context.allInputData_[index] = known.content;
        }
        schema.GetDataPropagationFunction()(context);
    }

    Known at(std::string_view name) const
    {
        const auto known = m_values.find(name);
        return known != m_values.end() ? known->second : Known();
    }

    /// What the context's constructor would find in tables with all values of the model.
    void setOperands(const NodeProto& node, ::onnx::shape_inference::InferenceContextImpl& context) const
    {
        for (int i = 0; i < node.input_size(); ++i) {
            const std::string& name = node.input(i);
            const auto index = static_cast<std::size_t>(i);
            const Known known = at(name);
            context.allInputTypes_[index] = known.type;
            context.allInputData_[index] = known.content;
            if (known.content != nullptr) {
                continue;
            }
            if (const auto sparse = m_sparse.find(name); sparse != m_sparse.end()) {
                context.allInputSparseData_[index] = sparse->second;
            } else if (const auto data = m_propagated.find(name); data != m_propagated.end()) {
                context.allShapeInputData_[index] = &data->second;
            }
        }
    }

    /// The types of the values around a node's bodies that have a name which occurs inside. A body can write into them.
    std::unordered_map<std::string, TypeProto*> typesForBodies(const NodeProto& node,
                                                               std::deque<TypeProto>& copies) const
    {
        std::unordered_set<std::string> names;
        forEachCapture(node, [&names](const std::string& name) { names.insert(name); });
        for (const AttributeProto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                collectValueNames(attribute.g(), names);
            }
        }
        std::unordered_map<std::string, TypeProto*> types;
        for (const std::string& name : names) {
            if (const TypeProto* type = find(name)) {
                types[name] = &copies.emplace_back(*type);
            }
        }
        return types;
    }

    void inferCall(const NodeProto& node, const FunctionProto& function,
                   ::onnx::shape_inference::InferenceContextImpl& context)
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

    void merge(const std::string& name, TypeProto& inferred)
    {
        if (inferred.value_case() == TypeProto::VALUE_NOT_SET) {
            return;
        }
        ::onnx::shape_inference::MaterializeSymbolicShape(&inferred, m_symbols);
        Known& known = m_values[name];
        if (known.type == nullptr) {
            known.type = shared(inferred);
            return;
        }
        TypeProto merged = *known.type;
        ::onnx::shape_inference::mergeShapesAndTypes(inferred, &merged);
        known.type = shared(merged);
    }

    /// The content of a Constant is known to the nodes that read it.
    void addConstant(const NodeProto& node)
    {
        const bool isConstant = ::onnx::IsOnnxDomain(node.domain()) && node.op_type() == "Constant";
        if (!isConstant || node.output_size() != 1) {
            return;
        }
        for (const AttributeProto& attribute : node.attribute()) {
            if (attribute.name() != "value") {
                if (auto numbers = constantOf(attribute)) {
                    m_values[node.output(0)].content = &m_constants.emplace_back(std::move(*numbers));
                }
            } else if (attribute.type() == AttributeProto::TENSOR && attribute.has_t()) {
                m_values[node.output(0)].content = &attribute.t();
            } else if (attribute.type() == AttributeProto::SPARSE_TENSOR && attribute.has_sparse_tensor()) {
                m_sparse[node.output(0)] = &attribute.sparse_tensor();
            }
        }
    }

    const ::onnx::ModelProto& m_model;
    std::unordered_map<std::string, int> m_imports;
    std::set<std::string> m_symbolsOfModel;
    ::onnx::shape_inference::ModelLocalFunctionsMap m_functions;
    const ::onnx::ShapeInferenceOptions m_options{true, 1, true};
    ::onnx::shape_inference::SymbolTableImpl m_symbols;

    std::unordered_map<std::string_view, Known> m_values; ///< by name, which the model owns
    std::unordered_map<std::string_view, const ::onnx::SparseTensorProto*> m_sparse;
    DataValueMap m_propagated;
    std::set<std::vector<std::intptr_t>> m_passed;             ///< schemas with element types, see checkTypes()
    std::unordered_map<std::string, const TypeProto*> m_types; ///< by content
    std::deque<TypeProto> m_store;
    std::deque<TensorProto> m_constants;

    bool m_hasUnknownOperator = false;
    std::string m_conflicts;
    std::optional<std::string> m_error;
};

InferredModel::InferredModel(const OnnxModel& model, Declared declared)
    : m_inference(std::make_unique<Inference>(model, declared))
{
}

InferredModel::~InferredModel() = default;

const std::optional<std::string>& InferredModel::error() const
{
    return m_inference->error();
}

const TypeProto* InferredModel::find(std::string_view value) const
{
    return m_inference->find(value);
}

std::optional<TensorType> InferredModel::typeOf(std::string_view value) const
{
    const TypeProto* found = find(value);
    if (found == nullptr) {
        return std::nullopt;
    }
    TensorType type = fromProto(*found);
    if (type.shape) {
        for (Dim& dim : *type.shape) {
            if (m_inference->isInvented(dim.symbol)) {
                dim = Dim();
            }
        }
    }
    return type;
}

} // namespace crosswalk
