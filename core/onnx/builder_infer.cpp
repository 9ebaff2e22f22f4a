// Runs the schema's type and shape inference on each emitted node.

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/onnx/builder_state.h"
#include "core/onnx/inference_guards.h"
#include "core/onnx/node.h"
#include "core/onnx/operand_checks.h"
#include "core/onnx/opsets.h"
#include "core/onnx/schemas.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace crosswalk {
namespace {

/// Strips everything before "why" from "[ShapeInferenceError] (op_type:Conv, node name: x): why".
std::string reason(std::string text)
{
    if (const auto tag = text.find("Error] "); tag != std::string::npos) {
        text.erase(0, tag + 7);
    }
    if (text.starts_with("(op_type:")) {
        if (const auto end = text.find("): "); end != std::string::npos) {
            text.erase(0, end + 3);
        }
    }
    if (const auto context = text.find('\n'); context != std::string::npos) {
        text.erase(context);
    }
    return text;
}

bool hasBodies(const ::onnx::NodeProto& node)
{
    return std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& a) { return a.has_g(); });
}

/// Removes the entries of values inside a node's bodies.
template <typename Entries>
void forgetInside(const ::onnx::NodeProto& node, Entries& entries)
{
    for (const auto& attribute : node.attribute()) {
        if (!attribute.has_g()) {
            continue;
        }
        for (const auto& input : attribute.g().input()) {
            entries.erase(input.name());
        }
        for (const auto& inner : attribute.g().node()) {
            for (const std::string& output : inner.output()) {
                entries.erase(output);
            }
            forgetInside(inner, entries);
        }
    }
}

void clearValueInfo(::onnx::NodeProto& node)
{
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) {
            attribute.mutable_g()->clear_value_info();
            for (auto& inner : *attribute.mutable_g()->mutable_node()) {
                clearValueInfo(inner);
            }
        }
    }
}

/// Adds the domains of the nodes inside a node's bodies, gaps and custom operators among them.
void importDomains(const ::onnx::NodeProto& node, int opset, std::unordered_map<std::string, int>& imports)
{
    for (const auto& attribute : node.attribute()) {
        for (const auto& inner : attribute.g().node()) {
            imports.emplace(inner.domain(), domainVersion(inner.domain(), opset));
            importDomains(inner, opset, imports);
        }
    }
}

/// onnx computes negative sizes for a window that is larger than its padded input.
/// Checks what onnx's inference computes; `guarded()` checks only the operands.
void expectSizes(const ::onnx::NodeProto& node, const ::onnx::TypeProto& type)
{
    const auto fail = [&node](const std::string& why) {
        throw ModelError("shape-conflict", fmt::format("as ONNX's {}: {}", node.op_type(), why));
    };
    const auto& shape = type.tensor_type().shape();
    if (shape.dim_size() > Budget::axes) {
        fail(fmt::format("its output would have {} dimensions; at most {} are possible", shape.dim_size(),
                         Budget::axes));
    }
    std::int64_t product = 1;
    for (const auto& dim : shape.dim()) {
        if (dim.dim_value() < 0) {
            fail(fmt::format("a dimension of its output would be {}", dim.dim_value()));
        }
        if (exceedsLargest(dim.dim_value(), product)) {
            fail(fmt::format("its output would be {}, which has too many elements", toString(fromProto(type))));
        }
    }
}

/// " (its operands are float32 2x3, none, int64 4)"; empty for a node without operands.
std::string operandsOf(const ::onnx::NodeProto& node, const std::unordered_map<std::string, ::onnx::TypeProto*>& types)
{
    constexpr int mostListed = 6;
    std::vector<std::string> operands;
    for (int i = 0; i < std::min(node.input_size(), mostListed); ++i) {
        operands.push_back(node.input(i).empty() ? "none" : toString(fromProto(*types.at(node.input(i)))));
    }
    return operands.empty() ? std::string()
                            : fmt::format(" (its operands are {}{})", fmt::join(operands, ", "),
                                          node.input_size() > mostListed ? ", ..." : "");
}

/// Completes the type of a part of a tensor along the axis of TopK or Split: if the size of that axis is unknown,
/// onnx's inference drops all others too.
void completePart(const ::onnx::NodeProto& node, const ::onnx::TypeProto& whole, ::onnx::TypeProto& part)
{
    if (!whole.tensor_type().has_shape()) {
        return;
    }
    ::onnx::TensorShapeProto shape = whole.tensor_type().shape();
    const std::int64_t fallback = node.op_type() == "TopK" ? -1 : 0;
    const std::size_t axis = axisAt(intAttribute(node, "axis", fallback), static_cast<std::size_t>(shape.dim_size()));
    const auto at = static_cast<int>(axis);
    assert(at < shape.dim_size()); // inference checked it
    shape.mutable_dim(at)->Clear();
    if (part.tensor_type().has_shape()) {
        *shape.mutable_dim(at) = part.tensor_type().shape().dim(at);
    }
    *part.mutable_tensor_type()->mutable_shape() = shape;
}

} // namespace

void OnnxBuilder::State::infer(::onnx::NodeProto& node, const OnnxValues& results)
{
    if (!node.domain().empty() && node.domain() != "ai.onnx.ml") {
        return; // an operator without a schema: its output types are unknown
    }
    expectEquation(node);
    const ::onnx::OpSchema* schema =
        schemas().GetSchema(node.op_type(), domainVersion(node.domain(), opset), node.domain());
    if (schema == nullptr || schema->Deprecated()) {
        const auto first = firstOpset(node.op_type());
        assert(first && *first > opset); // of a form that needs a later opset
        throw ModelError("unsupported-attribute", fmt::format("{} requires opset {}", node.op_type(), *first),
                         fmt::format("use --opset {} or a later one", *first));
    }
    bool allKnown = true;
    for (const std::string& input : node.input()) {
        allKnown = allKnown && (input.empty() || types.contains(input));
    }
    if (!allKnown) {
        return;
    }
    const ::onnx::ShapeInferenceOptions options(true, 1, true);
    ::onnx::shape_inference::SymbolTableImpl symbols;
    // The nodes of a body were inferred when they were emitted, and are inferred again with the node that contains
    // them. onnx reports an error if their propagated data is already present.
    // onnx copies the types of all values around a body: without those of inner values, no body adds to the next one.
    const bool isStructured = hasBodies(node);
    if (isStructured) {
        forgetInside(node, propagated);
        forgetInside(node, types);
    }
    std::unordered_map<std::string, int> imports{{"", opset}};
    importDomains(node, opset, imports);
    ::onnx::shape_inference::GraphInferenceContext bodies(types, imports, &symbols, {}, &schemas(), &propagated);
    ::onnx::shape_inference::InferenceContextImpl context(node, types, contents, {}, options, &propagated, &bodies);
    try {
        schema->Verify(node);
        if (schema->has_type_and_shape_inference_function()) {
            schema->GetTypeAndShapeInferenceFunction()(context);
        }
        if (isStructured) {
            forgetInside(node, propagated);
            clearValueInfo(node); // which onnx adds; finish() writes what is known
        }
    } catch (const ::onnx::InferenceError& error) {
        const bool isType = std::string_view(error.what()).find("[TypeInferenceError]") != std::string_view::npos;
        throw ModelError(
            isType ? Code("type-conflict") : Code("shape-conflict"),
            fmt::format("as ONNX's {}: {}{}", node.op_type(), reason(error.what()), operandsOf(node, types)));
    } catch (const std::exception& error) { // by Verify: attributes and numbers of inputs come from the file
        throw ModelError("wrong-operands",
                         fmt::format("as ONNX's {} at opset {}: {}", node.op_type(), opset, error.what()));
    }
    try {
        schema->CheckInputOutputType(context);
    } catch (const std::exception& error) { // not a programming error: types come from the user or the file
        throw ModelError("type-conflict",
                         fmt::format("as ONNX's {} at opset {}: {}", node.op_type(), opset, error.what()));
    }
    const bool isPart = isOperator(node, "TopK") || isOperator(node, "Split");
    for (::onnx::TypeProto& type : context.allOutputTypes_) {
        if (isPart) {
            completePart(node, *types.at(node.input(0)), type);
        }
        expectSizes(node, type);
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        setType(results[i], fromProto(context.allOutputTypes_[i]));
        node.set_output(static_cast<int>(i), at(results[i]).id);
    }
    if (node.op_type() == "Reshape" && !at(results[0]).shape) { // the length of the shape is the rank
        const auto& sizes = types.at(node.input(1))->tensor_type().shape();
        constexpr std::int64_t mostAxes = 64;
        if (sizes.dim_size() == 1 && sizes.dim(0).has_dim_value() && sizes.dim(0).dim_value() <= mostAxes) {
            setType(results[0], {at(results[0]).element, Shape(static_cast<std::size_t>(sizes.dim(0).dim_value()))});
        }
    }
    // Add, Sub and Mul propagate from opset 14 on, where only their types are others.
    constexpr int firstPropagating = 14;
    const std::string& op = node.op_type();
    const bool isArithmetic = node.domain().empty() && (op == "Add" || op == "Sub" || op == "Mul");
    const auto* propagating = isArithmetic && opset < firstPropagating ? schemaOf(op, firstPropagating) : schema;
    if (propagating->has_data_propagation_function()) {
        ::onnx::shape_inference::DataPropagationContextImpl data(node, types, contents, propagated);
        propagating->GetDataPropagationFunction()(data);
    }
}

void OnnxBuilder::State::dropUnneededOutputs(::onnx::NodeProto& node, const std::vector<char>& needed) const
{
    const ::onnx::OpSchema* schema = node.domain().empty() ? schemaOf(node.op_type(), opset) : nullptr;
    if (schema == nullptr) {
        return;
    }
    auto& outputs = *node.mutable_output();
    for (int i = 0; i < outputs.size() && i < static_cast<int>(schema->outputs().size()); ++i) {
        const bool isOptional = schema->outputs()[static_cast<std::size_t>(i)].GetOption() ==
                                ::onnx::OpSchema::FormalParameterOption::Optional;
        if (isOptional && needed[valueOf(outputs[i]).index] == 0) {
            outputs[i].clear();
        }
    }
    while (!outputs.empty() && outputs[outputs.size() - 1].empty()) {
        outputs.RemoveLast();
    }
}

} // namespace crosswalk
