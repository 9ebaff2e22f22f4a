#include "core/rewrite/concrete_inference.h"

#include "core/base/budget.h"
#include "core/base/saturating_product.h"
#include "core/onnx/node.h"
#include "core/onnx/operand_shapes.h"
#include "core/onnx/opsets.h"
#include "core/onnx/schemas.h"
#include "core/onnx/tensor_record.h"
#include "core/onnx/unique_bodies.h"
#include "core/rewrite/constant_results.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TypeProto;
using Propagated = std::unordered_map<std::string, ::onnx::TensorShapeProto>;

std::optional<Ints> dimsOf(const TypeProto& type)
{
    if (!type.has_tensor_type() || !type.tensor_type().has_shape()) {
        return std::nullopt;
    }
    Ints dims;
    for (const auto& dim : type.tensor_type().shape().dim()) {
        if (!dim.has_dim_value()) {
            return std::nullopt;
        }
        dims.push_back(dim.dim_value());
    }
    return dims;
}

std::optional<Shape> shapeOfKnown(const std::optional<Ints>& dims)
{
    return dims ? std::optional(shapeOf(*dims)) : std::nullopt;
}

} // namespace

ConcreteInference::ConcreteInference(const ::onnx::ModelProto& model)
{
    for (const auto& opset : model.opset_import()) {
        m_opsets[isOnnxDomain(opset.domain()) ? std::string() : opset.domain()] = static_cast<int>(opset.version());
    }
    for (const auto& stored : model.graph().initializer()) {
        addConstant(stored);
    }
    for (const auto& input : model.graph().input()) {
        setInput(input.name(), input.type());
    }
}

void ConcreteInference::setInput(const std::string& name, const TypeProto& type)
{
    m_store.push_back(type);
    m_types[name] = &m_store.back();
    m_contents.erase(name); // bodies can have equal names
    m_propagated.erase(name);
}

void ConcreteInference::addConstant(const ::onnx::TensorProto& constant)
{
    TypeProto type;
    type.mutable_tensor_type()->set_elem_type(constant.data_type());
    auto* shape = type.mutable_tensor_type()->mutable_shape();
    for (const std::int64_t dim : constant.dims()) {
        shape->add_dim()->set_dim_value(dim);
    }
    setInput(constant.name(), type);
    if (constant.data_location() != ::onnx::TensorProto::EXTERNAL) {
        m_constants.push_back(constant);
        m_contents[constant.name()] = &m_constants.back();
    }
}

std::optional<std::string> ConcreteInference::infer(const NodeProto& node)
{
    const std::string domain = isOnnxDomain(node.domain()) ? std::string() : node.domain();
    const auto version = m_opsets.find(domain);
    const ::onnx::OpSchema* schema =
        version == m_opsets.end() ? nullptr : schemas().GetSchema(node.op_type(), version->second, domain);
    const bool isKnown = schema != nullptr && schema->has_type_and_shape_inference_function() &&
                         std::all_of(node.input().begin(), node.input().end(), [&](const std::string& input) {
                             return input.empty() || m_types.contains(input);
                         });
    if (!isKnown) {
        return std::nullopt;
    }
    NodeProto copy = node; // inference writes into bodies
    makeBodiesUnique(copy);
    const ::onnx::ShapeInferenceOptions options(true, 1, true);
    ::onnx::shape_inference::SymbolTableImpl symbols;
    Propagated inBodies; // inference adds the values of bodies, whose names are not unique
    Propagated* propagated = hasBody(copy) ? &inBodies : &m_propagated;
    ::onnx::shape_inference::GraphInferenceContext bodies(m_types, m_opsets, &symbols, {}, &schemas(), propagated);
    ::onnx::shape_inference::InferenceContextImpl context(copy, m_types, m_contents, {}, options, propagated, &bodies);
    try {
        schema->GetTypeAndShapeInferenceFunction()(context);
    } catch (const std::exception&) {
        return std::string();
    }
    for (int i = 0; i < node.output_size(); ++i) {
        if (!node.output(i).empty()) {
            setInput(node.output(i), context.allOutputTypes_[static_cast<std::size_t>(i)]);
        }
    }
    for (const auto& attribute : copy.attribute()) {
        if (attribute.has_g()) {
            if (std::string fault = mismatchInside(attribute.g()); !fault.empty()) {
                return fault;
            }
        }
    }
    if (node.op_type() == "Constant" && domain.empty()) {
        if (const auto content = constantValue(node)) {
            setContent(node.output(0), *content);
        }
    }
    if (schema->has_data_propagation_function()) {
        ::onnx::shape_inference::DataPropagationContextImpl data(copy, m_types, m_contents, m_propagated);
        schema->GetDataPropagationFunction()(data);
    }
    compute(node);
    return std::nullopt;
}

/// Computes what onnx does not propagate: floats, and in older opsets arithmetic.
void ConcreteInference::compute(const NodeProto& node)
{
    const auto isShape = [this](const std::string& output) {
        const auto known = dims(output);
        const int type = elementType(output);
        return known && known->size() <= 1 && saturatingProduct(*known) <= Budget::axes &&
               (type == ::onnx::TensorProto::INT64 || type == ::onnx::TensorProto::INT32 ||
                type == ::onnx::TensorProto::FLOAT); // the factors of a Resize
    };
    if (hasBody(node) || !std::ranges::all_of(node.output(), isShape)) {
        return;
    }
    std::vector<std::optional<Tensor>> contents;
    std::ranges::transform(node.input(), std::back_inserter(contents),
                           [this](const std::string& input) { return content(input); });
    std::vector<const Tensor*> inputs;
    std::ranges::transform(contents, std::back_inserter(inputs),
                           [](const std::optional<Tensor>& content) { return content ? &*content : nullptr; });
    const auto results = foldedResults(node, inputs, [this](const std::string& name) {
        const auto known = m_types.find(name);
        return known == m_types.end() ? TensorType() : fromProto(*known->second);
    });
    for (int i = 0; results && i < node.output_size(); ++i) {
        const Tensor& result = results->at(static_cast<std::size_t>(i));
        setContent(node.output(i), result);
    }
}

void ConcreteInference::setContent(const std::string& value, const Tensor& content)
{
    ::onnx::TensorProto& proto = m_constants.emplace_back();
    proto.set_data_type(static_cast<int>(content.type()));
    proto.mutable_dims()->Assign(content.dims().begin(), content.dims().end());
    const auto bytes = content.toBytes();
    proto.set_raw_data(bytes.data(), bytes.size());
    m_contents[value] = &proto;
}

std::optional<Tensor> ConcreteInference::content(const std::string& value) const
{
    if (const auto stored = m_contents.find(value); stored != m_contents.end()) {
        return tensorOf(nullptr, *stored->second);
    }
    const auto known = dims(value);
    const auto elements = known && known->size() <= 1 ? integers(value) : std::nullopt;
    if (!elements || elements->size() != static_cast<std::size_t>(saturatingProduct(*known))) {
        return std::nullopt;
    }
    return Tensor::ints(*elements).reshaped(*known).converted(static_cast<ElementType>(elementType(value)));
}

std::string ConcreteInference::mismatchInside(const GraphProto& body) const
{
    std::unordered_map<std::string_view, Ints> known;
    const auto addTypes = [&](const auto& infos) {
        for (const auto& info : infos) {
            if (auto dims = dimsOf(info.type())) {
                known[info.name()] = *dims;
            }
        }
    };
    addTypes(body.input());
    addTypes(body.value_info());
    addTypes(body.output());
    for (const auto& stored : body.initializer()) {
        known[stored.name()] = {stored.dims().begin(), stored.dims().end()};
    }
    const auto shapeInside = [&](const std::string& value) {
        const auto inner = known.find(value);
        return shapeOfKnown(inner != known.end() ? std::optional(inner->second) : dims(value));
    };
    for (const NodeProto& node : body.node()) {
        if (const auto mismatch = findShapeMismatch(node, shapeInside)) {
            const std::string reader =
                node.name().empty() ? node.op_type() : fmt::format("{} ({})", node.name(), node.op_type());
            return fmt::format("in its body, the shape of {} does not match the other operands of {}", mismatch->value,
                               reader);
        }
    }
    return {};
}

std::optional<Ints> ConcreteInference::dims(const std::string& value) const
{
    const auto known = m_types.find(value);
    return known == m_types.end() ? std::nullopt : dimsOf(*known->second);
}

std::optional<Ints> ConcreteInference::integers(const std::string& value) const
{
    if (const auto stored = m_contents.find(value); stored != m_contents.end()) {
        const ::onnx::TensorProto& proto = *stored->second;
        const bool isInteger =
            proto.data_type() == ::onnx::TensorProto::INT64 || proto.data_type() == ::onnx::TensorProto::INT32;
        if (!isInteger || proto.dims_size() > 1) {
            return std::nullopt;
        }
        return tensorOf(nullptr, proto).toInts();
    }
    const auto known = m_propagated.find(value);
    if (known == m_propagated.end()) {
        return std::nullopt;
    }
    Ints elements;
    for (const auto& dim : known->second.dim()) {
        if (!dim.has_dim_value()) {
            return std::nullopt;
        }
        elements.push_back(dim.dim_value());
    }
    return elements;
}

int ConcreteInference::elementType(const std::string& value) const
{
    const auto known = m_types.find(value);
    return known == m_types.end() || !known->second->has_tensor_type() ? 0 : known->second->tensor_type().elem_type();
}

void MultiShapeInference::addConstant(const ::onnx::TensorProto& constant)
{
    for (ConcreteInference& model : m_models) {
        model.addConstant(constant);
    }
}

std::optional<MultiShapeInference::Fault> MultiShapeInference::infer(const NodeProto& node)
{
    std::optional<Fault> fault;
    for (std::size_t i = 0; i < m_models.size(); ++i) {
        if (auto why = m_models[i].infer(node); why && !fault) {
            fault = Fault{i == 0, std::move(*why), {}};
        }
    }
    for (std::size_t i = 0; i < m_models.size() && !fault; ++i) {
        const auto shapeOfValue = [&](const std::string& value) { return shapeOfKnown(m_models[i].dims(value)); };
        if (auto mismatch = findShapeMismatch(node, shapeOfValue)) {
            fault = Fault{false, {}, std::move(mismatch->value)};
        }
    }
    return fault;
}

std::optional<std::vector<Sizes>> MultiShapeInference::dims(const std::string& value) const
{
    std::array<Ints, 3> dims;
    for (std::size_t i = 0; i < 3; ++i) {
        auto known = m_models[i].dims(value);
        if (!known || (i > 0 && known->size() != dims[0].size())) {
            return std::nullopt;
        }
        dims[i] = std::move(*known);
    }
    std::vector<Sizes> sizes;
    for (std::size_t axis = 0; axis < dims[0].size(); ++axis) {
        sizes.push_back({dims[0][axis], dims[1][axis], dims[2][axis]});
    }
    return sizes;
}

std::optional<Ints> MultiShapeInference::literals(const std::string& value) const
{
    const auto first = m_models[0].integers(value);
    const bool isSame = first && m_models[1].integers(value) == first && m_models[2].integers(value) == first;
    return isSame ? first : std::nullopt;
}

std::vector<std::optional<double>> MultiShapeInference::numbers(const std::string& value) const
{
    std::vector<std::optional<double>> same;
    for (std::size_t i = 0; i < m_models.size(); ++i) {
        const auto content = m_models[i].content(value);
        if (!content || (i > 0 && content->elements() != static_cast<std::int64_t>(same.size()))) {
            return {};
        }
        const std::vector<double> numbers = content->toDoubles();
        same.resize(numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            same[k] = i == 0 || same[k] == numbers[k] ? std::optional(numbers[k]) : std::nullopt;
        }
    }
    return same;
}

} // namespace crosswalk
