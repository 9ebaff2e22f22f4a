#include "core/formats/keras/config_value.h"

#include "core/base/diagnostic.h"
#include "core/formats/json_errors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <simdjson.h>

namespace crosswalk::keras {
namespace {

constexpr std::size_t deepest = 256; ///< levels of nesting; a nested model takes about six

/// Python writes infinities and NaN as bare words, which are no JSON. They are quoted behind a control character.
constexpr std::string_view mark = "\\u0001";
constexpr auto specialNumbers =
    std::to_array<std::pair<std::string_view, double>>({{"-Infinity", -std::numeric_limits<double>::infinity()},
                                                        {"Infinity", std::numeric_limits<double>::infinity()},
                                                        {"NaN", std::numeric_limits<double>::quiet_NaN()}});

/// The text with such words in quotes.
std::string withQuotedWords(std::string_view json)
{
    std::string quoted;
    bool isText = false;
    for (std::size_t i = 0; i < json.size();) {
        const char c = json[i];
        if (isText && c == '\\') {
            quoted += json.substr(i, 2);
            i += 2;
            continue;
        }
        isText = c == '"' ? !isText : isText;
        const auto* const word = std::ranges::find_if(
            specialNumbers, [&](const auto& each) { return !isText && json.substr(i).starts_with(each.first); });
        if (word == specialNumbers.end()) {
            quoted += c;
            ++i;
        } else {
            quoted.append("\"").append(mark).append(word->first).append("\"");
            i += word->first.size();
        }
    }
    return quoted;
}

ConfigValue textOrNumber(std::string_view text)
{
    if (text.starts_with('\1')) {
        const auto* const word =
            std::ranges::find(specialNumbers, text.substr(1), &std::pair<std::string_view, double>::first);
        if (word != specialNumbers.end()) {
            return word->second;
        }
    }
    return std::string(text);
}

ConfigValue converted(simdjson::dom::element element)
{
    using simdjson::dom::element_type;
    switch (element.type()) {
    case element_type::ARRAY: {
        ConfigList list;
        for (const auto item : simdjson::dom::array(element)) {
            list.push_back(converted(item));
        }
        return list;
    }
    case element_type::OBJECT: {
        ConfigObject object;
        for (const auto field : simdjson::dom::object(element)) {
            object.emplace_back(std::string(field.key), converted(field.value));
        }
        return object;
    }
    case element_type::INT64:
        return std::int64_t(element);
    case element_type::UINT64:
        return static_cast<double>(std::uint64_t(element));
    case element_type::DOUBLE:
        return double(element);
    case element_type::STRING:
        return textOrNumber(std::string_view(element));
    case element_type::BOOL:
        return bool(element);
    case element_type::NULL_VALUE:
        break;
    }
    return std::monostate();
}

template <class T>
bool allAre(const ConfigList& list)
{
    return std::ranges::all_of(list, [](const ConfigValue& item) { return std::holds_alternative<T>(item); });
}

template <class T>
std::vector<T> itemsOf(const ConfigList& list)
{
    std::vector<T> items;
    for (const ConfigValue& item : list) {
        items.push_back(std::get<T>(item));
    }
    return items;
}

bool isNumber(const ConfigValue& value)
{
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

AttributeValue listValue(const ConfigList& list)
{
    if (allAre<std::int64_t>(list)) {
        return itemsOf<std::int64_t>(list);
    }
    if (std::ranges::all_of(list, isNumber)) {
        std::vector<double> numbers;
        for (const ConfigValue& item : list) {
            const auto* whole = std::get_if<std::int64_t>(&item);
            numbers.push_back(whole != nullptr ? static_cast<double>(*whole) : std::get<double>(item));
        }
        return numbers;
    }
    if (allAre<std::string>(list)) {
        return itemsOf<std::string>(list);
    }
    AttributeList values;
    for (const ConfigValue& item : list) {
        values.push_back(attributeValue(item));
    }
    return values;
}

struct Converter {
    AttributeValue operator()(std::monostate none) const { return none; }
    AttributeValue operator()(const ConfigList& list) const { return listValue(list); }
    AttributeValue operator()(const ConfigObject& object) const
    {
        AttributeList values; // an object in a list of lists, which no setting has: its values
        for (const auto& [key, member] : object) {
            values.push_back(attributeValue(member));
        }
        return values;
    }
    AttributeValue operator()(const auto& scalar) const { return scalar; }
};

bool matters(std::string_view key)
{
    constexpr auto endings = std::to_array<std::string_view>(
        {"_initializer", "_regularizer", "_constraint", "_init", "init", "W_regularizer", "shared_object_id"});
    return std::ranges::none_of(endings, [&](std::string_view ending) { return key.ends_with(ending); });
}

bool hasObject(const ConfigList& list)
{
    return std::ranges::any_of(list, [](const ConfigValue& item) { return item.object() != nullptr; });
}

} // namespace

const ConfigValue* ConfigValue::find(std::string_view key) const
{
    const ConfigObject* members = object();
    if (members == nullptr) {
        return nullptr;
    }
    const auto found =
        std::ranges::find(*members, key, [](const auto& member) { return std::string_view(member.first); });
    return found != members->end() ? &found->second : nullptr;
}

ConfigValue* ConfigValue::find(std::string_view key)
{
    return const_cast<ConfigValue*>(std::as_const(*this).find(key));
}

std::string ConfigValue::text(std::string_view key) const
{
    const ConfigValue* member = find(key);
    return member != nullptr ? textOf(*member) : std::string();
}

void ConfigValue::set(std::string_view key, ConfigValue value)
{
    if (ConfigValue* member = find(key)) {
        *member = std::move(value);
    } else if (auto* members = std::get_if<ConfigObject>(this)) {
        members->emplace_back(std::string(key), std::move(value));
    }
}

void ConfigValue::rename(std::string_view from, std::string to)
{
    if (auto* members = std::get_if<ConfigObject>(this)) {
        for (auto& [key, value] : *members) {
            if (key == from) {
                key = std::move(to);
                return;
            }
        }
    }
}

void ConfigValue::erase(std::string_view key)
{
    if (auto* members = std::get_if<ConfigObject>(this)) {
        std::erase_if(*members, [&](const auto& member) { return member.first == key; });
    }
}

std::string textOf(const ConfigValue& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : std::string();
}

std::optional<std::int64_t> integerOf(const ConfigValue& value)
{
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? std::optional(*whole) : std::nullopt;
}

ConfigValue parseConfig(std::string_view json)
{
    std::string quoted;
    if (json.find("Infinity") != std::string_view::npos || json.find("NaN") != std::string_view::npos) {
        quoted = withQuotedWords(json);
        json = quoted;
    }
    simdjson::dom::parser parser;
    if (parser.allocate(std::max<std::size_t>(json.size(), 64), deepest) != simdjson::SUCCESS) {
        throw ModelError("damaged", "is JSON that is too large to be read");
    }
    if (json.empty()) { // may have no address, which simdjson copies from
        throwJsonError(json, simdjson::EMPTY);
    }
    simdjson::dom::element root;
    if (const auto error = parser.parse(json.data(), json.size(), true).get(root)) {
        if (error == simdjson::DEPTH_ERROR) {
            throw ModelError("damaged", "is JSON that is nested too deeply");
        }
        throwJsonError(json, error);
    }
    return converted(root);
}

AttributeValue attributeValue(const ConfigValue& value)
{
    return std::visit(Converter(), static_cast<const ConfigValue::variant&>(value));
}

void addAttributes(std::vector<Attribute>& attributes, const std::string& prefix, const ConfigValue& value)
{
    if (const ConfigObject* members = value.object()) {
        for (const auto& [key, member] : *members) {
            if (matters(key)) {
                addAttributes(attributes, prefix.empty() ? key : fmt::format("{}.{}", prefix, key), member);
            }
        }
    } else if (const ConfigList* items = value.list(); items != nullptr && hasObject(*items)) {
        for (std::size_t i = 0; i < items->size(); ++i) {
            addAttributes(attributes, fmt::format("{}.{}", prefix, i), (*items)[i]);
        }
    } else {
        attributes.push_back({prefix, attributeValue(value)});
    }
}

} // namespace crosswalk::keras
