#include "core/rewrite/opset/downgrade_forms.h"

#include "core/base/diagnostic.h"
#include "core/graph/tensor_type.h"
#include "core/onnx/schemas.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>

namespace crosswalk {
namespace {

using ::onnx::Graph;
using ::onnx::Node;
using ::onnx::OpSchema;
using ::onnx::Symbol;
using ::onnx::Value;

/// Null if the type is unknown, or not a tensor type.
::onnx::DataType typeOf(const Value& value)
{
    if (value.elemType() == ::onnx::TensorProto_DataType_UNDEFINED) {
        return nullptr;
    }
    ::onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(value.elemType());
    return ::onnx::Utils::DataTypeUtils::ToType(type);
}

/// Inserts a node of this opset before another.
Node* before(Graph& graph, Node& next, int opset, const char* op, const std::vector<Value*>& inputs)
{
    Node* node = graph.create(Symbol(op), inputs);
    node->insertBefore(&next);
    expectTypes(*node, opset, next);
    return node;
}

/// Replaces `old` by a node that computes the same output.
Node* replaceBy(Node& old, Node* node)
{
    Value& replaced = *old.output();
    Value& output = *node->output();
    // Bodies refer to a value by its name, so two values must not have the same one while uses are replaced.
    const std::string name = replaced.uniqueName();
    output.setUniqueName(old.owningGraph()->getNextUniqueName());
    if (replaced.has_doc_string()) {
        output.setDocString(replaced.docString());
    }
    replaced.replaceAllUsesWith(&output);
    old.destroy();
    output.setUniqueName(name);
    return node;
}

} // namespace

void refuseDowngrade(const Node& node, int opset, std::string_view why)
{
    throw ModelError(
        {.code = "opset-change",
         .message = fmt::format("{} cannot be converted to opset {}: {}", node.kind().toString(), opset, why),
         .node = node.name(),
         .op = node.kind().toString()});
}

void expectTypes(const Node& node, int opset, const Node& reported)
{
    const OpSchema* schema = schemaOf(node.kind().toString(), opset);
    std::map<std::string, ::onnx::DataType> bound;
    const auto check = [&](const auto& values, const auto& formal) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto& parameter = formal[std::min(i, formal.size() - 1)];
            const ::onnx::DataType type = typeOf(*values[i]);
            if (type == nullptr) {
                continue;
            }
            if (!parameter.GetTypes().contains(type)) {
                refuseDowngrade(reported, opset, fmt::format("it does not accept {} there", *type));
            }
            const auto [known, isNew] = bound.emplace(parameter.GetTypeStr(), type);
            if (!isNew && parameter.GetIsHomogeneous() && known->second != type) {
                refuseDowngrade(reported, opset,
                                fmt::format("it does not accept {} together with {} there", *type, *known->second));
            }
        }
    };
    check(node.inputs(), schema->inputs());
    check(node.outputs(), schema->outputs());
}

bool hasInput(const Node& node, std::size_t input)
{
    // An absent input has an empty name. So has an output that nothing reads, and onnx connects the two.
    return input < node.inputs().size() && !node.inputs()[input]->uniqueName().empty() &&
           node.inputs()[input]->node()->kind() != ::onnx::kUndefined;
}

/// Below opset 13 all axes from `axis` on are flattened, which makes no difference for the last axis. Any other axis is
/// transposed to the end and back.
Node* softmaxOnLastAxis(Graph& graph, Node& node)
{
    constexpr int opset = 12;
    const auto axis = node.hasAttribute(::onnx::kaxis) ? node.i(::onnx::kaxis) : -1;
    node.i_(::onnx::kaxis, -1);
    expectTypes(node, opset, node);
    if (axis == -1) {
        return &node;
    }
    Value* x = node.inputs()[0];
    if (!x->has_sizes()) {
        refuseDowngrade(node, opset, "its rank is unknown, so its axis may not be the last one");
    }
    const auto rank = static_cast<std::int64_t>(x->sizes().size());
    const std::int64_t normalised = axis < 0 ? axis + rank : axis;
    if (normalised == rank - 1) {
        return &node;
    }
    Ints order(x->sizes().size());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order.at(static_cast<std::size_t>(normalised)), order.back());
    Node* there = before(graph, node, opset, "Transpose", {x});
    Node* inner = before(graph, node, opset, node.kind().toString(), {there->output()});
    Node* back = before(graph, node, opset, "Transpose", {inner->output()});
    inner->i_(::onnx::kaxis, -1);
    for (Node* transpose : {there, back}) {
        transpose->is_(::onnx::kperm, Ints(order));
        transpose->output()->setElemType(x->elemType());
    }
    inner->output()->setElemType(x->elemType());
    return replaceBy(node, back);
}

/// Emits "a > b or a = b" rather than "not a < b", which would be true for NaN.
Node* greaterOrLessOrEqual(Graph& graph, Node& node)
{
    constexpr int opset = 11;
    const std::vector<Value*> operands{node.inputs()[0], node.inputs()[1]};
    Node* strict = before(graph, node, opset, node.kind() == Symbol("GreaterOrEqual") ? "Greater" : "Less", operands);
    Node* same = before(graph, node, opset, "Equal", operands);
    return replaceBy(node, before(graph, node, opset, "Or", {strict->output(), same->output()}));
}

Node* hardSwish(Graph& graph, Node& node)
{
    constexpr int opset = 13;
    Value* x = node.inputs()[0];
    Node* gate = before(graph, node, opset, "HardSigmoid", {x});
    gate->f_(Symbol("alpha"), 1.0 / 6);
    gate->f_(Symbol("beta"), 0.5);
    return replaceBy(node, before(graph, node, opset, "Mul", {x, gate->output()}));
}

Node* slicedShape(Graph& graph, Node& node)
{
    constexpr int opset = 14;
    expectTypes(node, opset, node);
    if (!node.hasAttribute(Symbol("start")) && !node.hasAttribute(Symbol("end"))) {
        return &node;
    }
    Value* x = node.inputs()[0];
    std::vector<Value*> slice{before(graph, node, opset, "Shape", {x})->output()};
    constexpr std::int64_t rest = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, fallback] : {std::pair(Symbol("start"), std::int64_t{0}), {Symbol("end"), rest}}) {
        ::onnx::Tensor bound;
        bound.elem_type() = ::onnx::TensorProto_DataType_INT64;
        bound.int64s() = {node.hasAttribute(name) ? node.i(name) : fallback};
        bound.sizes() = {1};
        Node* constant = before(graph, node, opset, "Constant", {});
        constant->t_(::onnx::kvalue, bound);
        slice.push_back(constant->output());
    }
    for (Value* value : slice) {
        value->setElemType(::onnx::TensorProto_DataType_INT64);
    }
    return replaceBy(node, before(graph, node, opset, "Slice", slice));
}

/// Inputs that are optional since opset 13 are empty tensors below.
void addOptionalInputs(Graph& graph, Node& node)
{
    for (const std::size_t input : {1U, 2U}) {
        if (hasInput(node, input)) {
            continue;
        }
        ::onnx::Tensor empty;
        empty.elem_type() = ::onnx::TensorProto_DataType_FLOAT;
        empty.sizes() = {0};
        empty.setName(fmt::format("{}/nothing{}", node.outputs()[0]->uniqueName(), input));
        Value* value = graph.addInitializerAndCreateValue(empty);
        if (input < node.inputs().size()) {
            node.replaceInput(input, value);
        } else {
            node.addInput(value);
        }
    }
}

void constantAsTensor(Node& node)
{
    ::onnx::Tensor value;
    const auto whole = [&](const Symbol& name, const Ints& numbers, bool isScalar) {
        value.elem_type() = ::onnx::TensorProto_DataType_INT64;
        value.int64s() = numbers;
        value.sizes() = isScalar ? Ints{} : std::vector{static_cast<std::int64_t>(numbers.size())};
        node.removeAttribute(name);
    };
    const auto real = [&](const Symbol& name, const std::vector<double>& numbers, bool isScalar) {
        value.elem_type() = ::onnx::TensorProto_DataType_FLOAT;
        value.floats().assign(numbers.begin(), numbers.end());
        value.sizes() = isScalar ? Ints{} : std::vector{static_cast<std::int64_t>(numbers.size())};
        node.removeAttribute(name);
    };
    const Symbol oneInt("value_int"), ints("value_ints"), oneFloat("value_float"), floats("value_floats");
    if (node.hasAttribute(oneInt)) {
        whole(oneInt, {node.i(oneInt)}, true);
    } else if (node.hasAttribute(ints)) {
        whole(ints, Ints(node.is(ints)), false);
    } else if (node.hasAttribute(oneFloat)) {
        real(oneFloat, {node.f(oneFloat)}, true);
    } else if (node.hasAttribute(floats)) {
        real(floats, std::vector<double>(node.fs(floats)), false);
    } else if (node.hasAttribute(::onnx::kvalue) || node.hasAttribute(Symbol("sparse_value"))) {
        return;
    } else {
        refuseDowngrade(node, 11, "strings are not supported there");
    }
    node.t_(::onnx::kvalue, value);
}

} // namespace crosswalk
