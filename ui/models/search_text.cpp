#include "ui/models/search_text.h"

#include "core/graph/readable_shape.h"
#include "ui/models/box_title.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

namespace crosswalk::ui {
namespace {

constexpr std::size_t longestText = 200;       ///< of an attribute
constexpr std::size_t maxSearchNumbers = 16;   ///< of a list
constexpr std::size_t maxTensors = 16;         ///< of a node, which may concatenate thousands
constexpr std::size_t longestBodies = 1 << 16; ///< of the bodies of a node

/// Appends in lower case, with the multiplication sign of shapes as the letter x.
void append(std::string& to, std::string_view text)
{
    constexpr std::string_view times = "\u00d7";
    for (auto found = text.find(times); found != std::string_view::npos; found = text.find(times)) {
        append(to, text.substr(0, found));
        to.push_back('x');
        text.remove_prefix(found + times.size());
    }
    const std::size_t start = to.size();
    to.append(text);
    std::transform(to.begin() + static_cast<std::ptrdiff_t>(start), to.end(),
                   to.begin() + static_cast<std::ptrdiff_t>(start),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

template <typename Number>
void appendNumber(std::string& to, Number number)
{
    char digits[32];
    to.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

void appendType(std::string& to, const TensorType& type)
{
    if (type.element != ElementType::Undefined) {
        append(to, elementTypeName(type.element));
    }
    if (type.shape) {
        to.push_back(' ');
        append(to, readableShape(*type.shape));
    }
}

/// "(3,3)": without spaces, because queries are split at spaces.
struct ValueWriter {
    std::string& to;

    void operator()(std::int64_t number) const { appendNumber(to, number); }
    /// As boxes show it: many files store float32.
    void operator()(double number) const { fmt::format_to(std::back_inserter(to), "{}", static_cast<float>(number)); }
    void operator()(const std::string& value) const
    {
        const std::string_view shown = std::string_view(value).substr(0, longestText);
        const auto start = to.size();
        append(to, shown);
        if (shown.starts_with('(') || shown.starts_with('[')) {
            to.erase(std::remove(to.begin() + static_cast<std::ptrdiff_t>(start), to.end(), ' '), to.end());
        }
    }
    template <typename T>
    void operator()(const std::vector<T>& values) const
    {
        to.push_back('(');
        for (std::size_t i = 0; i < std::min(values.size(), maxSearchNumbers); ++i) {
            if (i > 0) {
                to.push_back(',');
            }
            (*this)(static_cast<T>(values[i]));
        }
        to.push_back(')');
    }
    void operator()(const AttributeValue& value) const { std::visit(*this, value); }
    void operator()(ElementType type) const { append(to, elementTypeName(type)); }
    void operator()(const ShapeAttribute& value) const { append(to, value.shape ? toString(*value.shape) : "?"); }
    void operator()(const Boxed<ValueType>& type) const { append(to, toString(*type)); }
    void operator()(const FunctionReference& function) const { append(to, function.name); }
    void operator()(const Boxed<FunctionReference>& function) const { append(to, function->name); }
    void operator()(bool value) const { append(to, value ? "true" : "false"); }
    void operator()(std::monostate /*none*/) const { append(to, "none"); }
    void operator()(const RawBytes& /*value*/) const {}
    void operator()(TensorId /*tensor*/) const {}
    void operator()(SubgraphId /*body*/) const {}
};

void appendLine(std::string& text, std::string_view words)
{
    append(text, words);
    text.push_back('\n');
}

/// Attributes, weights, outputs.
void appendContent(std::string& text, const Node& node, const Graph& graph, const KnownTypes& types)
{
    for (const auto& attribute : node.attributes) {
        append(text, attribute.name);
        text.push_back('=');
        if (attribute.text.empty()) {
            std::visit(ValueWriter{text}, attribute.value);
        } else {
            ValueWriter{text}(attribute.text);
        }
        text.push_back('\n');
    }
    std::size_t shown = 0;
    for (const auto input : node.inputs) {
        const Tensor* tensor = input ? graph.tensorOf(input) : nullptr;
        if (tensor != nullptr && shown++ < maxTensors) {
            append(text, graph.value(input).name);
            text.push_back(' ');
            appendType(text, {tensor->type(), shapeOf(tensor->dims())});
            text.push_back('\n');
        }
    }
    for (std::size_t i = 0; i < std::min(node.outputs.size(), maxTensors); ++i) {
        if (!node.outputs[i]) {
            continue;
        }
        const Value& value = graph.value(node.outputs[i]);
        if (value.name != node.name) {
            append(text, value.name);
            text.push_back(' ');
        }
        appendType(text, types.of(graph, node.outputs[i]));
        text.push_back('\n');
    }
}

/// The nodes in the bodies of a node, which makes them searchable.
void appendBodies(std::string& text, const Node& node, const Graph& graph, const KnownTypes& types, std::size_t end)
{
    const auto appendBody = [&](SubgraphId id) {
        const Graph& body = graph.subgraph(id);
        const KnownTypes inner = types.of(body);
        for (const Node& each : body.nodes()) {
            if (text.size() > end) {
                return;
            }
            appendLine(text, each.name);
            appendLine(text, each.op);
            appendContent(text, each, body, inner);
            appendBodies(text, each, body, inner, end);
        }
    };
    for (const auto& attribute : node.attributes) {
        if (const auto* one = std::get_if<SubgraphId>(&attribute.value)) {
            appendBody(*one);
        } else if (const auto* several = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            std::for_each(several->begin(), several->end(), appendBody);
        }
    }
}

} // namespace

void appendSearchText(std::string& text, const SceneNode& box, const Graph& graph, const KnownTypes& types)
{
    appendLine(text, box.fullName.empty() ? box.name : box.fullName);
    appendLine(text, box.kind == SceneNode::Kind::Operator ? box.title : boxTitle(box).toStdString());
    if (box.kind != SceneNode::Kind::Operator || !box.node) {
        for (const auto& row : box.rows) {
            appendLine(text, row);
        }
        return;
    }
    const Node& node = graph.node(box.node);
    appendContent(text, node, graph, types);
    appendBodies(text, node, graph, types, text.size() + longestBodies);
}

void appendSearchText(std::string& text, const Node& folded)
{
    appendLine(text, folded.name);
    appendLine(text, folded.op);
}

std::string searchForm(std::string_view query)
{
    std::string form;
    append(form, query);
    return form;
}

} // namespace crosswalk::ui
