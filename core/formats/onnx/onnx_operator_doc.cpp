#include "core/formats/onnx/onnx_operator_doc.h"

#include "core/onnx/opsets.h"
#include "core/onnx/schemas.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

/// A text of several lines and columns as one paragraph: collapses consecutive blanks.
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

/// Replaces Markdown links by their text, and removes line breaks.
std::string withoutMarkup(std::string text)
{
    constexpr std::string_view lineBreak = "<br>";
    for (auto at = text.find(lineBreak); at != std::string::npos; at = text.find(lineBreak, at)) {
        text.replace(at, lineBreak.size(), text.substr(at + lineBreak.size(), 1) == " " ? "" : " ");
    }
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

bool isListItem(std::string_view line)
{
    const auto number = std::min(line.find_first_not_of("0123456789"), line.size());
    return line.starts_with("* ") || line.starts_with("- ") || (number > 0 && line.substr(number).starts_with(") "));
}

/// A text of lines that were broken to fit a width, a paragraph a line: blank lines, items of lists, code and tables
/// part them, and what is code keeps its lines.
std::string paragraphs(std::string_view text)
{
    std::string all;
    std::string open; // the paragraph that further lines may belong to
    const auto close = [&] {
        const std::string line = withoutMarkup(paragraph(open));
        all += line.empty() || all.empty() ? line : "\n" + line;
        open.clear();
    };
    bool isCode = false;
    const auto first = text.find_first_not_of(" \t\r\n");
    const auto margin = first == std::string_view::npos ? 0 : first - (text.substr(0, first).rfind('\n') + 1);
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto indent = std::min(line.find_first_not_of(" \t\r"), line.size());
        const std::string_view words = line.substr(indent);
        if (words.starts_with("```")) {
            close();
            isCode = !isCode;
        } else if (isCode || indent >= margin + (open.empty() ? 4 : 8)) {
            close();
            all += words.empty() ? "" : "\n" + std::string(line);
        } else {
            if (words.empty() || isListItem(words) || words.starts_with('|')) {
                close();
            }
            open.append(words).append("\n");
        }
    }
    close();
    return all;
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
    const ::onnx::OpSchema* schema = schemas().GetSchema(node.op, version, node.domain);
    OperatorDoc doc;
    if (schema == nullptr) {
        return doc;
    }
    doc.text = schema->doc() != nullptr ? paragraphs(schema->doc()) : "";
    for (const auto& [name, attribute] : schema->attributes()) {
        doc.attributes.push_back(
            {name, valueText(attribute.default_value), withoutMarkup(paragraph(attribute.description))});
    }
    return doc;
}

} // namespace crosswalk
