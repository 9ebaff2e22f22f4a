#include "core/formats/onnx/operator_doc.h"

#include "core/onnx/opsets.h"
#include "core/onnx/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

/// A text of several lines and columns as one paragraph: blanks in a row become one.
std::string paragraph(std::string_view text)
{
    std::string plain;
    for (const char c : text) {
        const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!isBlank) {
            plain += c;
        } else if (!plain.empty() && plain.back() != ' ') {
            plain += ' ';
        }
    }
    if (plain.ends_with(' ')) {
        plain.pop_back();
    }
    return plain;
}

/// Of a link in Markdown the words.
std::string withoutLinks(std::string text)
{
    for (std::size_t open = 0; (open = text.find('[', open)) != std::string::npos; ++open) {
        const auto middle = text.find("](", open);
        const auto close = middle != std::string::npos ? text.find(')', middle) : std::string::npos;
        if (close == std::string::npos) {
            break;
        }
        if (text.find_first_of("[]", open + 1) == middle) {
            text.erase(middle, close + 1 - middle);
            text.erase(open, 1);
        }
    }
    return text;
}

/// The text before the first empty line: further ones go into formulas, tables and history.
std::string_view firstParagraph(std::string_view text)
{
    const auto begin = std::min(text.find_first_not_of(" \n\r\t"), text.size());
    text.remove_prefix(begin);
    return text.substr(0, std::min(text.find("\n\n"), text.size()));
}

std::string valueText(const ::onnx::AttributeProto& value)
{
    switch (value.type()) {
    case ::onnx::AttributeProto::INT:
        return fmt::format("{}", value.i());
    case ::onnx::AttributeProto::FLOAT:
        return fmt::format("{:.7g}", value.f());
    case ::onnx::AttributeProto::STRING:
        return value.s();
    case ::onnx::AttributeProto::INTS:
        return fmt::format("({})", fmt::join(value.ints(), ", "));
    case ::onnx::AttributeProto::FLOATS:
        return fmt::format("({})", fmt::join(value.floats(), ", "));
    case ::onnx::AttributeProto::STRINGS:
        return fmt::format("({})", fmt::join(value.strings(), ", "));
    default:
        return {};
    }
}

} // namespace

OperatorDoc onnxOperatorDoc(const Graph& graph, const Node& node)
{
    const auto opset = graph.opsets.find(node.domain);
    const int version = opset != graph.opsets.end() ? static_cast<int>(opset->second) : defaultOpset;
    const ::onnx::OpSchema* schema = ::onnx::OpSchemaRegistry::Schema(node.op, version, node.domain);
    OperatorDoc doc;
    if (schema == nullptr) {
        return doc;
    }
    doc.text = schema->doc() != nullptr ? withoutLinks(paragraph(firstParagraph(schema->doc()))) : "";
    for (const auto& [name, attribute] : schema->attributes()) {
        doc.attributes.push_back(
            {name, valueText(attribute.default_value), withoutLinks(paragraph(attribute.description))});
    }
    return doc;
}

} // namespace crosswalk
