#include "core/formats/mxnet/operator_attributes.h"

#include "core/graph/attributes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> parseNumber(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) { // too large is infinity and too small is zero, as strtod has it
        return std::strtod(std::string(text).c_str(), nullptr);
    }
    if (end != text.data() + text.size() && (*end == 'f' || *end == 'F')) {
        ++end;
    }
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The items between the brackets of `(1, 2)`, `[1,2]`, `(3L,)` or a bare `3`; nothing where brackets do not match.
std::optional<std::vector<std::string_view>> items(std::string_view text)
{
    text = trimmed(text);
    bool bracketed = false;
    if (!text.empty() && (text.front() == '(' || text.front() == '[')) {
        const char closing = text.front() == '(' ? ')' : ']';
        if (text.size() < 2 || text.back() != closing) {
            return std::nullopt;
        }
        text = trimmed(text.substr(1, text.size() - 2));
        bracketed = true;
    }
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto comma = text.find(',');
        std::string_view part = trimmed(text.substr(0, comma));
        if (bracketed && part.ends_with('L')) { // Python 2 wrote long integers so
            part.remove_suffix(1);
        }
        parts.push_back(part);
        if (comma == std::string_view::npos) {
            break;
        }
        if (!bracketed) {
            return std::nullopt;
        }
        text = trimmed(text.substr(comma + 1));
    }
    return parts;
}

} // namespace

const std::string* Attributes::find(std::string_view name) const
{
    return attributeOf<std::string>(m_ctx.node, name);
}

void Attributes::invalid(std::string_view name, std::string_view value, std::string_view wanted) const
{
    m_ctx.invalid(fmt::format("{} = {} is not {}", name, value, wanted), std::string(name));
}

bool Attributes::has(std::string_view name) const
{
    const std::string* value = find(name);
    return value != nullptr && *value != "None";
}

bool Attributes::isNone(std::string_view name) const
{
    const std::string* value = find(name);
    return value != nullptr && *value == "None";
}

std::string Attributes::text(std::string_view name, std::string_view fallback) const
{
    return has(name) ? *find(name) : std::string(fallback);
}

bool Attributes::boolean(std::string_view name, bool fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const std::string_view value = trimmed(*find(name));
    if (equalsIgnoringCase(value, "true") || value == "1") {
        return true;
    }
    if (equalsIgnoringCase(value, "false") || value == "0") {
        return false;
    }
    invalid(name, value, "a boolean");
}

std::optional<std::int64_t> Attributes::optionalInteger(std::string_view name) const
{
    if (!has(name)) {
        return std::nullopt;
    }
    const auto value = parseInteger(*find(name));
    if (!value) {
        invalid(name, *find(name), "an integer");
    }
    return value;
}

std::int64_t Attributes::integer(std::string_view name, std::int64_t fallback) const
{
    return optionalInteger(name).value_or(fallback);
}

std::int64_t Attributes::integer(std::string_view name) const
{
    const auto value = optionalInteger(name);
    if (!value) {
        m_ctx.invalid(fmt::format("{} needs attribute {}", m_ctx.node.op, name), std::string(name));
    }
    return *value;
}

std::optional<double> Attributes::optionalNumber(std::string_view name) const
{
    if (!has(name)) {
        return std::nullopt;
    }
    const std::string_view value = trimmed(*find(name));
    if (equalsIgnoringCase(value, "true") || equalsIgnoringCase(value, "false")) {
        return equalsIgnoringCase(value, "true") ? 1 : 0;
    }
    const auto number = parseNumber(value);
    if (!number) {
        invalid(name, value, "a number");
    }
    return number;
}

double Attributes::number(std::string_view name, double fallback) const
{
    return optionalNumber(name).value_or(fallback);
}

double Attributes::number(std::string_view name) const
{
    const auto value = optionalNumber(name);
    if (!value) {
        m_ctx.invalid(fmt::format("{} needs attribute {}", m_ctx.node.op, name), std::string(name));
    }
    return *value;
}

std::vector<std::optional<std::int64_t>> Attributes::optionalInts(std::string_view name) const
{
    std::vector<std::optional<std::int64_t>> values;
    if (!has(name)) {
        return values;
    }
    const auto parts = items(*find(name));
    if (!parts) {
        invalid(name, *find(name), "a tuple of integers");
    }
    for (const std::string_view part : *parts) {
        values.push_back(part == "None" ? std::nullopt : parseInteger(part));
        if (part != "None" && !values.back()) {
            invalid(name, *find(name), "a tuple of integers");
        }
    }
    return values;
}

Ints Attributes::ints(std::string_view name) const
{
    Ints values;
    for (const auto& value : optionalInts(name)) {
        if (!value) {
            invalid(name, *find(name), "a tuple of integers");
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

std::vector<double> Attributes::numbers(std::string_view name) const
{
    std::vector<double> values;
    if (!has(name)) {
        return values;
    }
    const auto parts = items(*find(name));
    for (const std::string_view part : parts.value_or(std::vector<std::string_view>{"?"})) {
        const auto value = parseNumber(part);
        if (!value) {
            invalid(name, *find(name), "a tuple of numbers");
        }
        values.push_back(*value);
    }
    return values;
}

ElementType Attributes::elementType(std::string_view name, ElementType fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const auto type = elementTypeFromName(*find(name));
    if (!type) {
        invalid(name, *find(name), "a type");
    }
    return *type;
}

std::string Attributes::choice(std::string_view name, std::initializer_list<std::string_view> allowed,
                               std::string_view fallback) const
{
    std::string value = text(name, fallback);
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        invalid(name, value, fmt::format("one of {}", fmt::join(allowed, ", ")));
    }
    return value;
}

bool hasNumpyShapes(const NodeContext& ctx)
{
    const auto flag = ctx.graph.metadata.find("is_np_shape");
    return flag != ctx.graph.metadata.end() && flag->second == "1";
}

bool isOfVersion2(const NodeContext& ctx)
{
    const auto version = ctx.graph.metadata.find("mxnet_version");
    return version != ctx.graph.metadata.end() && parseInteger(version->second).value_or(0) >= 20000;
}

} // namespace crosswalk::mxnet
