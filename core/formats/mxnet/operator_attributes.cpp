#include "core/formats/mxnet/operator_attributes.h"

#include "core/formats/mxnet/attribute_parser.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

std::optional<double> realNumber(const AttributeValue& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*integer);
    }
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::string_view withoutIndent(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

bool isEmptyText(const AttributeValue& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && withoutIndent(*text).empty();
}

/// The integers of nested tuples, in the order of the text. False if there is anything else.
bool flatten(const AttributeValue& value, Ints& flat)
{
    if (const auto* items = std::get_if<AttributeList>(&value)) {
        return std::all_of(items->begin(), items->end(), [&](const auto& item) { return flatten(item, flat); });
    }
    const auto integers = integersOf(value);
    if (integers) {
        flat.insert(flat.end(), integers->begin(), integers->end());
    }
    return integers.has_value();
}

/// The graph that has the metadata: a body has none of its own.
const Graph& modelOf(const NodeContext& ctx)
{
    return ctx.enclosing().empty() ? ctx.graph : *ctx.enclosing().front();
}

} // namespace

const Attribute* Attributes::find(std::string_view name) const
{
    const auto& attributes = m_ctx.node.attributes;
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.name == name; });
    return found != attributes.end() ? &*found : nullptr;
}

const AttributeValue* Attributes::given(std::string_view name) const
{
    const Attribute* attribute = find(name);
    const bool isGiven = attribute != nullptr && !std::holds_alternative<std::monostate>(attribute->value);
    return isGiven ? &attribute->value : nullptr;
}

std::string Attributes::textFor(std::string_view name) const
{
    const Attribute* attribute = find(name);
    const std::string* text = attribute != nullptr ? textOf(*attribute) : nullptr;
    return text != nullptr ? *text : std::string();
}

void Attributes::invalid(std::string_view name, std::string_view wanted) const
{
    m_ctx.invalid(fmt::format("{} = {} is not {}", name, textFor(name), wanted), std::string(name));
}

bool Attributes::has(std::string_view name) const
{
    return given(name) != nullptr;
}

bool Attributes::isNone(std::string_view name) const
{
    return find(name) != nullptr && !has(name);
}

std::string Attributes::text(std::string_view name, std::string_view fallback) const
{
    return has(name) ? textFor(name) : std::string(fallback);
}

bool Attributes::boolean(std::string_view name, bool fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const auto value = booleanOf(*find(name));
    if (!value) {
        invalid(name, "a boolean");
    }
    return *value;
}

std::optional<std::int64_t> Attributes::givenInteger(std::string_view name) const
{
    const AttributeValue* value = given(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto* number = std::get_if<std::int64_t>(value);
    if (number == nullptr) {
        invalid(name, "an integer");
    }
    return *number;
}

/// MXNet's parameters of type optional<int> end in an L where Python 2 wrote a long integer; those of type int do not.
std::optional<std::int64_t> Attributes::optionalInteger(std::string_view name) const
{
    const AttributeValue* value = given(name);
    const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
    if (text != nullptr && text->ends_with('L')) {
        const AttributeValue number = parseAttributeText(std::string_view(*text).substr(0, text->size() - 1));
        if (const auto* integer = std::get_if<std::int64_t>(&number)) {
            return *integer;
        }
    }
    return givenInteger(name);
}

std::int64_t Attributes::integer(std::string_view name, std::int64_t fallback) const
{
    return givenInteger(name).value_or(fallback);
}

std::int64_t Attributes::integer(std::string_view name) const
{
    const auto value = givenInteger(name);
    if (!value) {
        m_ctx.invalid(fmt::format("{} requires attribute {}", m_ctx.node.op, name), std::string(name));
    }
    return *value;
}

std::optional<double> Attributes::optionalNumber(std::string_view name) const
{
    const AttributeValue* value = given(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (const auto* boolean = std::get_if<bool>(value)) {
        return *boolean ? 1 : 0;
    }
    const auto number = realNumber(*value);
    if (!number) {
        invalid(name, "a number");
    }
    const bool isNegativeZero = *number == 0 && withoutIndent(textFor(name)).starts_with('-');
    return isNegativeZero ? -0.0 : *number;
}

double Attributes::number(std::string_view name, double fallback) const
{
    return optionalNumber(name).value_or(fallback);
}

double Attributes::number(std::string_view name) const
{
    const auto value = optionalNumber(name);
    if (!value) {
        m_ctx.invalid(fmt::format("{} requires attribute {}", m_ctx.node.op, name), std::string(name));
    }
    return *value;
}

std::vector<std::optional<std::int64_t>> Attributes::optionalInts(std::string_view name) const
{
    const AttributeValue* value = given(name);
    if (value == nullptr || isEmptyText(*value)) {
        return {};
    }
    if (const auto integers = integersOf(*value)) {
        return {integers->begin(), integers->end()};
    }
    const auto* items = std::get_if<AttributeList>(value);
    if (items == nullptr) {
        invalid(name, "a tuple of integers");
    }
    std::vector<std::optional<std::int64_t>> values;
    for (const AttributeValue& item : *items) {
        const auto* integer = std::get_if<std::int64_t>(&item);
        if (integer == nullptr && !std::holds_alternative<std::monostate>(item)) {
            invalid(name, "a tuple of integers");
        }
        values.push_back(integer != nullptr ? std::optional(*integer) : std::nullopt);
    }
    return values;
}

Ints Attributes::ints(std::string_view name) const
{
    Ints values;
    for (const auto& value : optionalInts(name)) {
        if (!value) {
            invalid(name, "a tuple of integers");
        }
        values.push_back(*value);
    }
    return values;
}

Ints Attributes::ints(std::string_view name, const Ints& fallback) const
{
    Ints values = ints(name);
    return values.empty() ? fallback : values;
}

Ints Attributes::nestedInts(std::string_view name) const
{
    Ints flat;
    const AttributeValue* value = given(name);
    if (value != nullptr && !flatten(*value, flat)) {
        invalid(name, "made of tuples of integers");
    }
    return flat;
}

std::vector<double> Attributes::numbers(std::string_view name) const
{
    const AttributeValue* value = given(name);
    if (value == nullptr || isEmptyText(*value)) {
        return {};
    }
    if (const auto* numbers = std::get_if<std::vector<double>>(value)) {
        return *numbers;
    }
    if (const auto integers = integersOf(*value)) {
        return {integers->begin(), integers->end()};
    }
    const auto number = realNumber(*value);
    if (!number) {
        invalid(name, "a tuple of numbers");
    }
    return {*number};
}

ElementType Attributes::elementType(std::string_view name, ElementType fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const auto type = elementTypeFromName(textFor(name));
    if (!type) {
        invalid(name, "a type");
    }
    return *type;
}

std::string Attributes::choice(std::string_view name, std::initializer_list<std::string_view> allowed,
                               std::string_view fallback) const
{
    std::string value = isNone(name) ? "None" : text(name, fallback);
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        m_ctx.invalid(fmt::format("{} = {} is not one of {}", name, value, fmt::join(allowed, ", ")),
                      std::string(name));
    }
    return value;
}

bool hasNumpyShapes(const Graph& model)
{
    const auto flag = model.metadata.find("is_np_shape");
    return flag != model.metadata.end() && flag->second == "1";
}

bool hasNumpyShapes(const NodeContext& ctx)
{
    return hasNumpyShapes(modelOf(ctx));
}

bool isOfVersion2(const NodeContext& ctx)
{
    const auto& metadata = modelOf(ctx).metadata;
    const auto version = metadata.find("mxnet_version");
    if (version == metadata.end()) {
        return false;
    }
    const AttributeValue value = parseAttributeText(version->second);
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr && *number >= 20000;
}

} // namespace crosswalk::mxnet
