#include "core/formats/onnx/step_forms.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk {
namespace {

using ::onnx::Graph;
using ::onnx::Node;
using ::onnx::Symbol;
using ::onnx::Value;

/// A node in front of another.
Node* before(Graph& graph, Node& place, const char* op, const std::vector<Value*>& inputs)
{
    Node* node = graph.create(Symbol(op), inputs);
    node->insertBefore(&place);
    return node;
}

/// Puts a node in the place of another, whose output it gives.
Node* instead(Node& old, Node* node)
{
    node->output()->copyMetadata(old.output());
    old.output()->replaceAllUsesWith(node->output());
    old.destroy();
    return node;
}

} // namespace

void refuseStep(const Node& node, int opset, std::string_view why)
{
    throw ModelError(
        {.code = "opset-change",
         .message = fmt::format("{} cannot be brought to opset {}: {}", node.kind().toString(), opset, why),
         .node = node.name(),
         .op = node.kind().toString()});
}

bool isGiven(const Node& node, std::size_t input)
{
    return input < node.inputs().size() && node.inputs()[input]->node()->kind() != ::onnx::kUndefined;
}

/// Below opset 13 all axes from the one named on are taken together, which is the same on the last axis alone: another
/// is brought there and back.
Node* onLastAxis(Graph& graph, Node& node)
{
    const auto axis = node.hasAttribute(::onnx::kaxis) ? node.i(::onnx::kaxis) : -1;
    node.i_(::onnx::kaxis, -1);
    if (axis == -1) {
        return &node;
    }
    Value* x = node.inputs()[0];
    if (!x->has_sizes()) {
        refuseStep(node, 12, "whether its axis is the last one cannot be told, because its rank is not known");
    }
    const auto rank = static_cast<std::int64_t>(x->sizes().size());
    const std::int64_t place = axis < 0 ? axis + rank : axis;
    if (place == rank - 1) {
        return &node;
    }
    std::vector<std::int64_t> order(x->sizes().size());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order.at(static_cast<std::size_t>(place)), order.back());
    Node* there = before(graph, node, "Transpose", {x});
    Node* inner = before(graph, node, node.kind().toString(), {there->output()});
    Node* back = before(graph, node, "Transpose", {inner->output()});
    inner->i_(::onnx::kaxis, -1);
    for (Node* turn : {there, back}) {
        turn->is_(::onnx::kperm, std::vector<std::int64_t>(order));
        turn->output()->setElemType(x->elemType());
    }
    inner->output()->setElemType(x->elemType());
    return instead(node, back);
}

/// a > b or a = b, which unlike "not a < b" is false of what is not a number.
Node* orEqual(Graph& graph, Node& node)
{
    const std::vector<Value*> operands{node.inputs()[0], node.inputs()[1]};
    Node* strict = before(graph, node, node.kind() == Symbol("GreaterOrEqual") ? "Greater" : "Less", operands);
    Node* same = before(graph, node, "Equal", operands);
    return instead(node, before(graph, node, "Or", {strict->output(), same->output()}));
}

Node* hardSwish(Graph& graph, Node& node)
{
    Value* x = node.inputs()[0];
    Node* gate = before(graph, node, "HardSigmoid", {x});
    gate->f_(Symbol("alpha"), 1.0 / 6);
    gate->f_(Symbol("beta"), 0.5);
    return instead(node, before(graph, node, "Mul", {x, gate->output()}));
}

/// What may be left out from opset 13 on is empty below.
void giveAllInputs(Graph& graph, Node& node)
{
    for (const std::size_t input : {1U, 2U}) {
        if (isGiven(node, input)) {
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
    const auto whole = [&](const Symbol& name, const std::vector<std::int64_t>& numbers, bool isScalar) {
        value.elem_type() = ::onnx::TensorProto_DataType_INT64;
        value.int64s() = numbers;
        value.sizes() = isScalar ? std::vector<std::int64_t>{} : std::vector{static_cast<std::int64_t>(numbers.size())};
        node.removeAttribute(name);
    };
    const auto real = [&](const Symbol& name, const std::vector<double>& numbers, bool isScalar) {
        value.elem_type() = ::onnx::TensorProto_DataType_FLOAT;
        value.floats().assign(numbers.begin(), numbers.end());
        value.sizes() = isScalar ? std::vector<std::int64_t>{} : std::vector{static_cast<std::int64_t>(numbers.size())};
        node.removeAttribute(name);
    };
    const Symbol oneInt("value_int"), ints("value_ints"), oneFloat("value_float"), floats("value_floats");
    if (node.hasAttribute(oneInt)) {
        whole(oneInt, {node.i(oneInt)}, true);
    } else if (node.hasAttribute(ints)) {
        whole(ints, std::vector<std::int64_t>(node.is(ints)), false);
    } else if (node.hasAttribute(oneFloat)) {
        real(oneFloat, {node.f(oneFloat)}, true);
    } else if (node.hasAttribute(floats)) {
        real(floats, std::vector<double>(node.fs(floats)), false);
    } else if (node.hasAttribute(::onnx::kvalue) || node.hasAttribute(Symbol("sparse_value"))) {
        return;
    } else {
        refuseStep(node, 11, "strings cannot be said there");
    }
    node.t_(::onnx::kvalue, value);
}

} // namespace crosswalk
