#include "core/convert/custom_op.h"

#include "core/graph/attributes.h"
#include "core/onnx/model.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

OnnxAttributes textAttributes(const Node& node)
{
    OnnxAttributes attributes;
    for (const Attribute& attribute : node.attributes) {
        if (const auto* text = std::get_if<std::string>(&attribute.value)) {
            attributes.emplace_back(attribute.name, *text);
        } else if (const auto* number = std::get_if<std::int64_t>(&attribute.value)) {
            attributes.emplace_back(attribute.name, *number);
        } else if (const auto* list = std::get_if<Ints>(&attribute.value)) {
            attributes.emplace_back(attribute.name, *list);
        }
    }
    return attributes;
}

/// Nearly every operator keeps its first input's element type. Taking that for granted lets what needs no more convert
/// behind one that is unknown; a runtime refuses a model where it does not hold.
void keepElementType(const OnnxValues& outputs, const OnnxValues& inputs, OnnxBuilder& onnx)
{
    const ElementType type = inputs.empty() || !inputs.front() ? ElementType::Undefined : onnx.element(inputs.front());
    for (const OnnxValue output : outputs) {
        if (type != ElementType::Undefined) {
            onnx.refineElement(output, type);
        }
    }
}

/// The operator as the user names it: for `Custom`, its op_type.
const std::string& typeOf(const Node& node)
{
    const auto* type = node.op == "Custom" ? attributeOf<std::string>(node, "op_type") : nullptr;
    return type != nullptr ? *type : node.op;
}

bool hasOperator(const Graph& graph, std::string_view type)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return typeOf(node) == type; }) ||
           std::any_of(graph.subgraphs.begin(), graph.subgraphs.end(),
                       [&](const auto& body) { return hasOperator(*body, type); });
}

} // namespace

const CustomOperator* customOperator(const Node& node, const ConvertOptions& options)
{
    const auto custom = options.customOperators.find(typeOf(node));
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

OnnxValues emitGap(const Node& node, const OnnxValues& inputs, OnnxBuilder& onnx)
{
    OnnxValues present;
    std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(present), [](OnnxValue v) { return bool(v); });
    OnnxValues outputs = onnx.add(node.op, present, textAttributes(node), node.outputs.size(), gapDomain);
    keepElementType(outputs, present, onnx);
    return outputs;
}

OnnxValues emitCustom(const Graph& graph, const Node& node, const OnnxValues& inputs, const CustomOperator& custom,
                      const ConvertOptions& options, OnnxBuilder& onnx)
{
    OnnxValues outputs = onnx.add(custom.name, inputs, textAttributes(node), node.outputs.size(), custom.domain);
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
