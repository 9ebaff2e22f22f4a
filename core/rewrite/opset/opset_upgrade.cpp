#include "core/rewrite/opset/opset_upgrade.h"

#include "core/graph/element_type.h"
#include "core/graph/tensor.h"

#include <limits>
#include <memory>
#include <string>

namespace crosswalk {
namespace {

using ::onnx::Graph;
using ::onnx::Node;
using ::onnx::Value;

Value* constantBefore(Graph& graph, Node& node, const Tensor& content)
{
    ::onnx::Tensor value;
    value.elem_type() = static_cast<std::int32_t>(content.type());
    value.sizes() = content.dims();
    const std::vector<std::byte> bytes = content.toBytes();
    value.set_raw_data({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    Node* constant = graph.create(::onnx::kConstant);
    constant->insertBefore(&node);
    constant->t_(::onnx::kvalue, value);
    constant->output()->setElemType(value.elem_type());
    return constant->output();
}

/// A number of the type of the node's first input, which is unknown in bodies.
Value* numberBefore(Graph& graph, Node& node, double number)
{
    const auto type = static_cast<ElementType>(node.inputs()[0]->elemType());
    return constantBefore(graph, node, Tensor::scalar(isFloating(type) ? type : ElementType::Float32, number));
}

double numberIn(const Node& node, ::onnx::Symbol attribute, double absent)
{
    return node.hasAttribute(attribute) ? node.f(attribute) : absent;
}

void clip(Graph& graph, Node& node)
{
    const bool hasHighest = node.hasAttribute(::onnx::kmax);
    if (hasHighest || node.hasAttribute(::onnx::kmin)) {
        constexpr double lowest = std::numeric_limits<float>::lowest();
        node.addInput(numberBefore(graph, node, numberIn(node, ::onnx::kmin, lowest)));
    }
    if (hasHighest) {
        node.addInput(numberBefore(graph, node, node.f(::onnx::kmax)));
    }
}

void pad(Graph& graph, Node& node)
{
    node.addInput(constantBefore(graph, node, Tensor::ints(node.is(::onnx::kpads))));
    if (!node.hasAttribute(::onnx::kmode) || node.s(::onnx::kmode) == "constant") {
        node.addInput(numberBefore(graph, node, numberIn(node, ::onnx::kvalue, 0)));
    }
}

} // namespace

void addUpgradeAdapters(::onnx::version_conversion::DefaultVersionConverter& converter)
{
    const auto add = [&](const char* op, void (*change)(Graph&, Node&), std::vector<::onnx::Symbol> attributes) {
        converter.registerAdapter(op, 10, 11, [=](const std::shared_ptr<Graph>& graph, Node* node) {
            change(*graph, *node);
            for (const ::onnx::Symbol attribute : attributes) {
                if (node->hasAttribute(attribute)) {
                    node->removeAttribute(attribute);
                }
            }
            return node;
        });
    };
    add("Clip", clip, {::onnx::kmin, ::onnx::kmax});
    add("Pad", pad, {::onnx::kpads, ::onnx::kvalue});
}

} // namespace crosswalk
