#include "core/graph/attribute_text.h"

#include "core/base/readable.h"
#include "core/graph/graph.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

std::string clipped(const std::string& text, std::size_t longest)
{
    if (text.size() <= longest) {
        return text;
    }
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end) + "\u2026";
}

struct Writer {
    const Graph& graph;
    const AttributeTextStyle& style;

    std::string operator()(std::monostate /*none*/) const { return "None"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", static_cast<float>(value)); }
    std::string operator()(const std::string& value) const { return clipped(value, style.longestText); }
    std::string operator()(const RawBytes& value) const { return readableBytes(value.bytes.size()); }
    std::string operator()(ElementType value) const { return std::string(elementTypeName(value)); }
    std::string operator()(const ShapeAttribute& value) const { return value.shape ? toString(*value.shape) : "?"; }
    std::string operator()(const Boxed<ValueType>& type) const { return toString(*type); }
    std::string operator()(TensorId id) const
    {
        const Tensor& tensor = graph.tensor(id);
        const Shape shape = shapeOf(tensor.dims());
        return style.tensorTypes ? toString(TensorType{tensor.type(), shape}) : toString(shape);
    }
    std::string operator()(SubgraphId id) const { return counted(graph.subgraph(id).nodeCount(), "node"); }
    std::string operator()(const std::vector<SubgraphId>& ids) const { return counted(ids.size(), "graph"); }
    std::string operator()(const FunctionReference& function) const { return function.name; }
    std::string operator()(const Boxed<FunctionReference>& function) const { return function->name; }
    std::string operator()(const AttributeValue& value) const { return std::visit(*this, value); }

    template <typename Item>
    std::string operator()(const std::vector<Item>& values) const
    {
        std::string text(1, style.open);
        for (std::size_t i = 0; i < std::min(values.size(), style.mostItems); ++i) {
            text += (i == 0 ? "" : ", ") + (*this)(static_cast<Item>(values[i]));
        }
        return text + (values.size() > style.mostItems ? ", \u2026" : "") + style.close;
    }
};

} // namespace

std::string attributeText(const AttributeValue& value, const Graph& graph, const AttributeTextStyle& style)
{
    return std::visit(Writer{graph, style}, value);
}

std::string attributeText(const Attribute& attribute, const Graph& graph, const AttributeTextStyle& style)
{
    return attribute.text.empty() ? attributeText(attribute.value, graph, style)
                                  : clipped(attribute.text, style.longestText);
}

} // namespace crosswalk
