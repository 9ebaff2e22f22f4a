#include "core/compare/attribute_text.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

constexpr std::size_t longest = 80;

std::string cut(std::string text)
{
    if (text.size() > longest) {
        text.resize(longest - 3);
        text += "...";
    }
    return text;
}

template <typename List, typename Form>
std::string listed(const List& list, Form&& form)
{
    std::string text = "[";
    for (const auto& item : list) {
        if (text.size() > longest) {
            break;
        }
        text += (text.size() > 1 ? ", " : "") + form(item);
    }
    return cut(text + "]");
}

struct Text {
    const Graph& graph;

    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", static_cast<float>(value)); }
    std::string operator()(const std::string& value) const { return cut(value); }
    std::string operator()(TensorId id) const
    {
        const Tensor& tensor = graph.tensor(id);
        return toString(TensorType{tensor.type(), shapeOf(tensor.dims())});
    }
    std::string operator()(SubgraphId id) const
    {
        return fmt::format("a graph of {} nodes", graph.subgraph(id).nodeCount());
    }
    template <typename Item>
    std::string operator()(const std::vector<Item>& values) const
    {
        return listed(values, *this);
    }
};

} // namespace

std::string attributeText(const Graph& graph, const AttributeValue& value)
{
    return std::visit(Text{graph}, value);
}

} // namespace crosswalk
