#include "core/formats/mxnet/attribute_lookup.h"

#include "core/formats/mxnet/attribute_parser.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

const Attribute* attributeOf(AttributeSpan attributes, std::string_view key)
{
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.name == key; });
    return found != attributes.end() ? &*found : nullptr;
}

/// Null if the attribute is absent, empty or `None`.
const AttributeValue* valueOf(AttributeSpan attributes, std::string_view key)
{
    const Attribute* attribute = attributeOf(attributes, key);
    if (attribute == nullptr || std::holds_alternative<std::monostate>(attribute->value)) {
        return nullptr;
    }
    const auto* text = std::get_if<std::string>(&attribute->value);
    return text != nullptr && text->empty() ? nullptr : &attribute->value;
}

} // namespace

std::optional<std::string_view> findAttribute(AttributeSpan attributes, std::string_view key)
{
    const Attribute* attribute = attributeOf(attributes, key);
    const std::string* text = attribute != nullptr ? textOf(*attribute) : nullptr;
    return text != nullptr ? std::optional<std::string_view>(*text) : std::nullopt;
}

bool flag(AttributeSpan attributes, std::string_view key, bool fallback)
{
    const Attribute* attribute = attributeOf(attributes, key);
    return attribute != nullptr ? booleanOf(*attribute).value_or(fallback) : fallback;
}

std::optional<std::int64_t> integer(AttributeSpan attributes, std::string_view key,
                                    std::optional<std::int64_t> fallback)
{
    const AttributeValue* value = valueOf(attributes, key);
    if (value == nullptr) {
        return fallback;
    }
    const auto numbers = integersOf(*value);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<double> number(AttributeSpan attributes, std::string_view key, std::optional<double> fallback)
{
    const AttributeValue* value = valueOf(attributes, key);
    if (value == nullptr) {
        return fallback;
    }
    if (const auto* integer = std::get_if<std::int64_t>(value)) {
        return static_cast<double>(*integer);
    }
    const auto* real = std::get_if<double>(value);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

std::optional<Ints> integers(AttributeSpan attributes, std::string_view key)
{
    const AttributeValue* value = valueOf(attributes, key);
    return value != nullptr ? integersOf(*value) : std::nullopt;
}

bool isHiddenKey(std::string_view key)
{
    if (key.size() > 4 && key.starts_with("__") && key.ends_with("__")) {
        return true;
    }
    // Before 0.9 these had no underscores, and could contain the name of their input: weight_lr_mult.
    constexpr std::array<std::string_view, 5> old = {"lr_mult", "wd_mult", "ctx_group", "force_mirroring",
                                                     "mirror_stage"};
    return std::any_of(old.begin(), old.end(), [&](std::string_view name) {
        return key == name || (key.ends_with(name) && key[key.size() - name.size() - 1] == '_');
    });
}

} // namespace crosswalk::mxnet
