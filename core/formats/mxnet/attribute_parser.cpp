#include "core/formats/mxnet/attribute_parser.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace crosswalk::mxnet {
namespace {

constexpr int deepestNesting = 8;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool equalsIgnoringCase(std::string_view text, std::string_view lower)
{
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> parseNumber(std::string_view text)
{
    double value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) { // overflow is infinity and underflow is zero, as in strtod
        return std::strtod(std::string(text).c_str(), nullptr);
    }
    if (end != text.data() + text.size() && (*end == 'f' || *end == 'F')) {
        ++end;
    }
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// `None`, a boolean or a number; nothing for other words.
std::optional<AttributeValue> parseScalar(std::string_view word)
{
    if (word == "None") {
        return AttributeValue(std::monostate());
    }
    if (equalsIgnoringCase(word, "true") || equalsIgnoringCase(word, "false")) {
        return AttributeValue(word.size() == 4);
    }
    if (word.starts_with('+')) {
        word.remove_prefix(1);
    }
    if (const auto integer = parseInteger(word)) {
        return AttributeValue(*integer);
    }
    const auto number = parseNumber(word);
    return number ? std::optional<AttributeValue>(*number) : std::nullopt;
}

template <typename T>
bool all(const AttributeList& items)
{
    return std::all_of(items.begin(), items.end(),
                       [](const AttributeValue& item) { return std::holds_alternative<T>(item); });
}

bool isNumber(const AttributeValue& value)
{
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// The narrowest kind of list for the items.
AttributeValue listOf(AttributeList items)
{
    if (all<std::int64_t>(items)) {
        Ints integers;
        integers.reserve(items.size());
        for (const AttributeValue& item : items) {
            integers.push_back(std::get<std::int64_t>(item));
        }
        return integers;
    }
    if (std::all_of(items.begin(), items.end(), isNumber)) {
        std::vector<double> numbers;
        numbers.reserve(items.size());
        for (const AttributeValue& item : items) {
            const auto* integer = std::get_if<std::int64_t>(&item);
            numbers.push_back(integer != nullptr ? static_cast<double>(*integer) : std::get<double>(item));
        }
        return numbers;
    }
    return items;
}

class ListParser {
public:
    explicit ListParser(std::string_view text)
        : m_text(text)
    {
    }

    /// Nothing if the text is not a list, or has trailing characters.
    std::optional<AttributeValue> run()
    {
        auto value = list(0);
        return value && m_at == m_text.size() ? std::move(value) : std::nullopt;
    }

private:
    std::optional<AttributeValue> list(int depth)
    {
        if (depth == deepestNesting) {
            return std::nullopt;
        }
        ++m_at;
        AttributeList items;
        for (skipBlanks(); m_at < m_text.size(); skipBlanks()) {
            if (isClosing(m_text[m_at])) {
                ++m_at;
                return listOf(std::move(items));
            }
            auto item = isOpening(m_text[m_at]) ? list(depth + 1) : scalar();
            skipBlanks();
            const bool goesOn = m_at < m_text.size() && (m_text[m_at] == ',' || isClosing(m_text[m_at]));
            if (!item || !goesOn) {
                return std::nullopt;
            }
            items.push_back(std::move(*item));
            m_at += m_text[m_at] == ',' ? 1 : 0;
        }
        return std::nullopt;
    }

    std::optional<AttributeValue> scalar()
    {
        const auto end = std::min(m_text.find_first_of(",()[]", m_at), m_text.size());
        std::string_view word = trimmed(m_text.substr(m_at, end - m_at));
        if (word.ends_with('L')) { // Python 2 wrote long integers this way
            word.remove_suffix(1);
        }
        m_at = end;
        return parseScalar(word);
    }

    void skipBlanks() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }
    static bool isOpening(char c) { return c == '(' || c == '['; }
    static bool isClosing(char c) { return c == ')' || c == ']'; }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

AttributeValue parseAttributeText(std::string_view text)
{
    const std::string_view word = trimmed(text);
    const bool isList = word.starts_with('(') || word.starts_with('[');
    auto value = isList ? ListParser(word).run() : parseScalar(word);
    return value ? std::move(*value) : AttributeValue(std::string(text));
}

Attribute parsedAttribute(std::string name, std::string text)
{
    AttributeValue value = parseAttributeText(text);
    return {std::move(name), std::move(value), std::move(text)};
}

std::optional<bool> booleanOf(const Attribute& attribute)
{
    if (const auto* boolean = std::get_if<bool>(&attribute.value)) {
        return *boolean;
    }
    const auto* number = std::get_if<std::int64_t>(&attribute.value);
    const bool isDigit = attribute.text.empty() || trimmed(attribute.text).size() == 1;
    return number != nullptr && isDigit && (*number == 0 || *number == 1) ? std::optional(*number == 1) : std::nullopt;
}

std::optional<Ints> integersOf(const AttributeValue& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return std::vector{*integer};
    }
    const auto* integers = std::get_if<Ints>(&value);
    return integers != nullptr ? std::optional(*integers) : std::nullopt;
}

} // namespace crosswalk::mxnet
