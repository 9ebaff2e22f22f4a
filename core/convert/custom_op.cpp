#include "core/convert/custom_op.h"

#include "core/base/budget.h"
#include "core/convert/unknown_operator.h"
#include "core/graph/attributes.h"
#include "core/onnx/onnx_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk {
namespace {

/// Converts the value of a source attribute to an ONNX attribute. Returns false if ONNX has no such attribute type, or
/// cannot store a tensor that large.
struct AttributeWriter {
    const Graph& graph;
    std::string_view name;
    OnnxAttributes& to;
    std::uint64_t& room; ///< for further tensors, in bytes

    bool add(auto&& value) const
    {
        to.emplace_back(name, std::forward<decltype(value)>(value));
        return true;
    }

    bool operator()(std::monostate /*none*/) const { return true; } // like an absent attribute
    bool operator()(bool value) const { return add(value); }
    bool operator()(std::int64_t value) const { return add(value); }
    bool operator()(double value) const { return isFloat(value) && add(value); }
    bool operator()(const std::string& value) const { return add(value); }
    bool operator()(const RawBytes& value) const { return add(value.bytes); }
    bool operator()(ElementType value) const { return add(static_cast<std::int64_t>(value)); }
    bool operator()(const ShapeAttribute& value) const
    {
        return value.shape && isFixed(*value.shape) && add(sizes(*value.shape));
    }
    bool operator()(TensorId id) const
    {
        const Tensor& tensor = graph.tensor(id);
        if (tensor.bytes() > room) {
            return false;
        }
        room -= tensor.bytes();
        return add(tensor);
    }
    bool operator()(const Ints& values) const { return add(values); }
    bool operator()(const std::vector<double>& values) const
    {
        return std::all_of(values.begin(), values.end(), isFloat) && add(Floats(values.begin(), values.end()));
    }
    bool operator()(const std::vector<std::string>& values) const { return add(values); }
    bool operator()(const std::vector<ElementType>& values) const
    {
        Ints numbers;
        for (const ElementType value : values) {
            numbers.push_back(static_cast<std::int64_t>(value));
        }
        return add(numbers);
    }
    bool operator()(const AttributeList& values) const
    {
        Ints numbers;
        for (const AttributeValue& value : values) {
            if (const auto* truth = std::get_if<bool>(&value)) {
                numbers.push_back(*truth ? 1 : 0);
            } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
                numbers.push_back(*number);
            } else {
                return false;
            }
        }
        return add(numbers);
    }
    /// Graphs, functions, types, lists of tensors and of shapes.
    template <typename Other>
    bool operator()(const Other& /*value*/) const
    {
        return false;
    }

    static Ints sizes(const Shape& shape)
    {
        Ints dims;
        for (const Dim& dim : shape) {
            dims.push_back(dim.size);
        }
        return dims;
    }
    /// Checks the range of ONNX's float attributes, which are float32.
    static bool isFloat(double value) { return !std::isfinite(value) || std::isfinite(static_cast<float>(value)); }
};

/// The attributes of a node for a node of a custom domain. Attributes that the format stores as text stay text.
OnnxAttributes carriedAttributes(const Graph& graph, const Node& node, const OnnxBuilder& onnx,
                                 std::vector<std::string>& lost)
{
    OnnxAttributes attributes;
    std::uint64_t room = Budget::attributeBytes - std::min(onnx.attributeBytes(), Budget::attributeBytes);
    for (const Attribute& attribute : node.attributes) {
        if (attribute.name.empty()) {
            lost.emplace_back("without a name");
        } else if (!attribute.text.empty()) {
            attributes.emplace_back(attribute.name, attribute.text);
        } else if (!std::visit(AttributeWriter{graph, attribute.name, attributes, room}, attribute.value)) {
            lost.push_back(attribute.name);
        }
    }
    return attributes;
}

/// Nearly every operator keeps its first input's element type. This assumption allows nodes after an unknown operator
/// to convert; a runtime rejects the model if it is wrong.
void keepElementType(const OnnxValues& outputs, const OnnxValues& inputs, OnnxBuilder& onnx)
{
    const ElementType type = inputs.empty() || !inputs.front() ? ElementType::Undefined : onnx.element(inputs.front());
    for (const OnnxValue output : outputs) {
        if (type != ElementType::Undefined) {
            onnx.refineElement(output, type);
        }
    }
}

bool hasOperator(const Graph& graph, std::string_view type)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return operatorType(node) == type; }) ||
           std::any_of(graph.subgraphs.begin(), graph.subgraphs.end(),
                       [&](const auto& body) { return hasOperator(*body, type); });
}

} // namespace

const CustomOperator* customOperator(const Node& node, const ConvertOptions& options)
{
    const auto custom = options.customOperators.find(operatorType(node));
    return custom != options.customOperators.end() ? &custom->second : nullptr;
}

void noteUnusedOperators(const Graph& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems)
{
    for (const auto& [type, custom] : options.customOperators) {
        if (!hasOperator(graph, type)) {
            problems.push_back({.severity = Severity::Note,
                                .code = "unused-operator",
                                .message = fmt::format("--custom-op {}: the model has no such operator", type)});
        }
    }
}

OnnxValues emitGap(const Graph& graph, const Node& node, const OnnxValues& inputs, OnnxBuilder& onnx,
                   std::vector<std::string>& lost)
{
    OnnxValues present;
    std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(present), [](OnnxValue v) { return bool(v); });
    OnnxValues outputs =
        onnx.add(node.op, present, carriedAttributes(graph, node, onnx, lost), node.outputs.size(), gapDomain);
    keepElementType(outputs, present, onnx);
    return outputs;
}

OnnxValues emitCustom(const Graph& graph, const Node& node, const OnnxValues& inputs, const CustomOperator& custom,
                      const ConvertOptions& options, OnnxBuilder& onnx)
{
    std::vector<std::string> lost;
    const OnnxAttributes attributes = carriedAttributes(graph, node, onnx, lost);
    if (!lost.empty()) {
        throw ModelError("unsupported-attribute",
                         fmt::format("ONNX cannot store attribute {} in a node of {}", lost.front(), custom.name));
    }
    OnnxValues outputs = onnx.add(custom.name, inputs, attributes, node.outputs.size(), custom.domain);
    keepElementType(outputs, inputs, onnx);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string& name = graph.value(node.outputs[i]).name;
        if (const auto given = options.types.find(name); given != options.types.end()) {
            onnx.refineElement(outputs[i], given->second);
        }
        if (const auto given = options.shapes.find(name); given != options.shapes.end()) {
            onnx.refine(outputs[i], given->second);
        }
    }
    return outputs;
}

} // namespace crosswalk
