#include "core/formats/tensorflow/op_defs.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <unordered_map>

namespace crosswalk::tensorflow {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings" // the longest that compilers must support is shorter
constexpr std::string_view table =
#include "core/formats/tensorflow/op_defs.inc"
    ;
#pragma GCC diagnostic pop

/// The text up to the next separator; removes both from `rest`.
std::string_view takeUntil(std::string_view& rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

ArgDef parseArgument(std::string_view word)
{
    ArgDef arg{.name = takeUntil(word, ':')};
    if (word.ends_with('&')) {
        word.remove_suffix(1); // a reference is read as its target type
    }
    if (word.starts_with('@')) {
        arg.typeListAttr = word.substr(1);
        return arg;
    }
    if (word.find('*') != std::string_view::npos) {
        arg.numberAttr = takeUntil(word, '*');
    }
    if (word.starts_with('#')) {
        arg.type = dataTypeFromName(word.substr(1));
    } else {
        arg.typeAttr = word;
    }
    return arg;
}

AttrDef parseAttribute(std::string_view word)
{
    AttrDef attr{.name = takeUntil(word, ':'), .type = {}};
    const bool hasDefault = word.find('=') != std::string_view::npos;
    attr.type = takeUntil(word, '=');
    if (hasDefault) {
        attr.defaultText = word;
    }
    if (attr.type.ends_with('}')) {
        std::string_view allowed = attr.type.substr(0, attr.type.size() - 1);
        attr.type = takeUntil(allowed, '{');
        while (!allowed.empty()) {
            attr.allowed.push_back(takeUntil(allowed, ';'));
        }
    }
    return attr;
}

OpDef parseOp(std::string_view line)
{
    OpDef op{.name = takeUntil(line, ' ')};
    char part = 0;
    while (!line.empty()) {
        const std::string_view word = takeUntil(line, ' ');
        if (word == "!") {
            op.isStateful = true;
        } else if (word.size() == 1) {
            part = word.front();
        } else if (part == 'i') {
            op.inputs.push_back(parseArgument(word));
        } else if (part == 'o') {
            op.outputs.push_back(parseArgument(word));
        } else {
            op.attrs.push_back(parseAttribute(word));
        }
    }
    return op;
}

using OpTable = std::unordered_map<std::string_view, OpDef>;

OpTable parseTable()
{
    OpTable ops;
    for (std::string_view rest = table; !rest.empty();) {
        OpDef op = parseOp(takeUntil(rest, '\n'));
        ops.emplace(op.name, std::move(op));
    }
    return ops;
}

template <typename T>
T number(std::string_view text)
{
    T value = {};
    [[maybe_unused]] const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    assert(error == std::errc() && end == text.data() + text.size());
    return value;
}

std::string unquoted(std::string_view text)
{
    std::string plain;
    while (!text.empty()) {
        if (text.front() != '%') {
            plain += text.front();
            text.remove_prefix(1);
            continue;
        }
        int code = 0;
        std::from_chars(text.data() + 1, text.data() + 3, code, 16);
        plain += static_cast<char>(code);
        text.remove_prefix(3);
    }
    return plain;
}

ShapeAttribute shapeOfText(std::string_view text)
{
    text = text.substr(1, text.size() - 2);
    if (text == "?") {
        return {};
    }
    Shape shape;
    while (!text.empty()) {
        const auto size = number<std::int64_t>(takeUntil(text, ','));
        shape.push_back(size < 0 ? Dim() : Dim(size));
    }
    return {std::move(shape)};
}

template <typename T, typename Parse>
std::vector<T> listOf(std::string_view text, Parse parse)
{
    std::vector<T> list;
    for (text = text.substr(1, text.size() - 2); !text.empty();) {
        list.push_back(parse(takeUntil(text, ';')));
    }
    return list;
}

AttributeValue namedType(std::string_view text)
{
    const DataType type = dataTypeFromName(text);
    const ValueType value = valueType(type);
    return value.isTensor() ? AttributeValue(value.element) : AttributeValue(value);
}

AttributeValue valueOf(std::string_view type, std::string_view text)
{
    if (type == "string") {
        return unquoted(text);
    }
    if (type == "int") {
        return number<std::int64_t>(text);
    }
    if (type == "float") {
        return static_cast<double>(number<float>(text));
    }
    if (type == "bool") {
        return text == "true";
    }
    if (type == "type") {
        return namedType(text);
    }
    if (type == "shape") {
        return shapeOfText(text);
    }
    if (type == "list(string)") {
        return listOf<std::string>(text, unquoted);
    }
    if (type == "list(int)") {
        return listOf<std::int64_t>(text, number<std::int64_t>);
    }
    if (type == "list(float)") {
        return listOf<double>(text, [](std::string_view item) { return static_cast<double>(number<float>(item)); });
    }
    if (type == "list(bool)") {
        return listOf<AttributeValue>(text, [](std::string_view item) { return item == "true"; });
    }
    if (type == "list(type)") {
        return listOf<ElementType>(text, [](std::string_view item) { return elementType(dataTypeFromName(item)); });
    }
    assert(type == "list(shape)");
    return listOf<ShapeAttribute>(text, shapeOfText);
}

} // namespace

const OpDef* findOpDef(std::string_view op)
{
    static const OpTable ops = parseTable();
    const auto found = ops.find(op);
    return found != ops.end() ? &found->second : nullptr;
}

const AttrDef* findAttrDef(const OpDef& op, std::string_view attribute)
{
    const auto attr =
        std::find_if(op.attrs.begin(), op.attrs.end(), [&](const AttrDef& each) { return each.name == attribute; });
    return attr != op.attrs.end() ? &*attr : nullptr;
}

std::optional<AttributeValue> defaultOf(const OpDef& op, std::string_view attribute)
{
    const AttrDef* attr = findAttrDef(op, attribute);
    return attr != nullptr && attr->defaultText ? std::optional(valueOf(attr->type, *attr->defaultText)) : std::nullopt;
}

std::optional<DataType> defaultTypeOf(const OpDef& op, std::string_view attribute)
{
    const AttrDef* attr = findAttrDef(op, attribute);
    const bool isType = attr != nullptr && attr->type == "type" && attr->defaultText;
    return isType ? std::optional(dataTypeFromName(*attr->defaultText)) : std::nullopt;
}

} // namespace crosswalk::tensorflow
