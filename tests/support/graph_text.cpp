#include "tests/support/graph_text.h"

#include "core/graph/attribute_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::test {
namespace {

std::string elementText(double value, ElementType type)
{
    const std::string text = fmt::format("{:.6g}", value);
    return isInteger(type) || type == ElementType::Bool || text.find('.') != std::string::npos ? text : text + ".";
}

std::string valueText(const Graph& graph, ValueId id)
{
    if (!id) {
        return "-";
    }
    const Tensor* stored = graph.tensorOf(id);
    if (stored == nullptr) {
        return graph.value(id).name;
    }
    std::vector<std::string> elements;
    for (const double element : stored->toDoubles()) {
        elements.push_back(elementText(element, stored->type()));
    }
    return stored->dims().empty() ? elements.front() : fmt::format("[{}]", fmt::join(elements, ", "));
}

std::string linesOf(const Graph& graph, const std::string& indent)
{
    std::string text;
    for (const ValueId input : graph.inputs) {
        text += fmt::format("{}input {}\n", indent, valueText(graph, input));
    }
    for (const Node& node : graph.nodes()) {
        std::vector<std::string> outputs;
        std::vector<std::string> inputs;
        std::vector<std::string> attributes;
        std::string bodies;
        for (const ValueId output : node.outputs) {
            outputs.push_back(valueText(graph, output));
        }
        for (const ValueId input : node.inputs) {
            inputs.push_back(valueText(graph, input));
        }
        for (const Attribute& attribute : node.attributes) {
            if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
                bodies +=
                    fmt::format("{}  {}:\n{}", indent, attribute.name, linesOf(graph.subgraph(*body), indent + "    "));
            } else if (!std::holds_alternative<ElementType>(attribute.value) &&
                       !std::holds_alternative<ShapeAttribute>(attribute.value)) {
                attributes.push_back(
                    fmt::format(" {}={}", attribute.name, attributeText(attribute.value, graph, {.longestText = 200})));
            }
        }
        std::sort(attributes.begin(), attributes.end());
        text += fmt::format("{}{} = {}({}){}\n{}", indent, fmt::join(outputs, ", "), node.op, fmt::join(inputs, ", "),
                            fmt::join(attributes, ""), bodies);
    }
    for (const ValueId output : graph.outputs) {
        text += fmt::format("{}output {}\n", indent, valueText(graph, output));
    }
    return text;
}

} // namespace

std::string graphText(const Graph& graph)
{
    return linesOf(graph, {});
}

} // namespace crosswalk::test
