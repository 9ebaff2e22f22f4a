#include "tests/support/graph_text.h"

#include "core/graph/attribute_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace crosswalk::test {
namespace {

std::string elementText(double value, ElementType type)
{
    const std::string text = fmt::format("{:.6g}", value);
    return isInteger(type) || type == ElementType::Bool || text.find('.') != std::string::npos ? text : text + ".";
}

/// The names of a graph's values; the second value of a name is "name#2".
class Names {
public:
    explicit Names(const Graph& graph)
    {
        std::map<std::string, int> counts;
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            const std::string& name = graph.value(ValueId{i}).name;
            const int count = graph.tensorOf(ValueId{i}) != nullptr ? 1 : ++counts[name];
            m_names.push_back(count == 1 ? name : fmt::format("{}#{}", name, count));
        }
    }
    const std::string& of(ValueId id) const { return m_names[id.index]; }

private:
    std::vector<std::string> m_names;
};

std::string valueText(const Graph& graph, const Names& names, ValueId id)
{
    if (!id) {
        return "-";
    }
    const Tensor* stored = graph.tensorOf(id);
    if (stored == nullptr) {
        return names.of(id);
    }
    std::vector<std::string> elements;
    for (const double element : stored->toDoubles()) {
        elements.push_back(elementText(element, stored->type()));
    }
    return stored->dims().empty() ? elements.front() : fmt::format("[{}]", fmt::join(elements, ", "));
}

std::string linesOf(const Graph& graph, const std::string& indent)
{
    const Names names(graph);
    std::string text;
    for (const ValueId input : graph.inputs) {
        text += fmt::format("{}input {}\n", indent, valueText(graph, names, input));
    }
    for (const Node& node : graph.nodes()) {
        std::vector<std::string> outputs;
        std::vector<std::string> inputs;
        std::vector<std::string> attributes;
        std::string bodies;
        for (const ValueId output : node.outputs) {
            outputs.push_back(valueText(graph, names, output));
        }
        for (const ValueId input : node.inputs) {
            inputs.push_back(valueText(graph, names, input));
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
        text += fmt::format("{}output {}\n", indent, valueText(graph, names, output));
    }
    return text;
}

} // namespace

std::string graphText(const Graph& graph)
{
    return linesOf(graph, {});
}

} // namespace crosswalk::test
