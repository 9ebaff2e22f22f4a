#include "core/formats/keras/ops/layer_settings.h"

#include "core/base/whole_number.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {
namespace {

/// Appends the numbers of a value; false if it contains anything else.
bool appendNumbers(const AttributeValue& value, std::vector<double>& numbers)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        numbers.push_back(static_cast<double>(*whole));
    } else if (const auto* number = std::get_if<double>(&value)) {
        numbers.push_back(*number);
    } else if (const auto* truth = std::get_if<bool>(&value)) {
        numbers.push_back(*truth ? 1 : 0);
    } else if (const auto* wholes = std::get_if<Ints>(&value)) {
        numbers.insert(numbers.end(), wholes->begin(), wholes->end());
    } else if (const auto* all = std::get_if<std::vector<double>>(&value)) {
        numbers.insert(numbers.end(), all->begin(), all->end());
    } else if (const auto* list = std::get_if<AttributeList>(&value)) {
        return std::ranges::all_of(*list, [&](const AttributeValue& item) { return appendNumbers(item, numbers); });
    } else {
        return false;
    }
    return true;
}

/// False for ragged lists.
bool measure(const AttributeValue& value, Ints& extents)
{
    if (const auto* wholes = std::get_if<Ints>(&value)) {
        extents.push_back(static_cast<std::int64_t>(wholes->size()));
    } else if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
        extents.push_back(static_cast<std::int64_t>(numbers->size()));
    } else if (const auto* list = std::get_if<AttributeList>(&value)) {
        extents.push_back(static_cast<std::int64_t>(list->size()));
        std::optional<Ints> inner;
        for (const AttributeValue& item : *list) {
            Ints own;
            if (!measure(item, own) || (inner && *inner != own)) {
                return false;
            }
            inner = own;
        }
        if (inner) {
            extents.insert(extents.end(), inner->begin(), inner->end());
        }
    }
    return true;
}

bool consistsOfIntegers(const AttributeValue& value)
{
    if (const auto* list = std::get_if<AttributeList>(&value)) {
        return std::ranges::all_of(*list, consistsOfIntegers);
    }
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<bool>(value) ||
           std::holds_alternative<Ints>(value);
}

} // namespace

const AttributeValue* Settings::find(std::string_view name) const
{
    const AttributeValue* value = m_ctx->node.attribute(m_prefix + std::string(name));
    return value == nullptr || std::holds_alternative<std::monostate>(*value) ? nullptr : value;
}

bool Settings::has(std::string_view name) const
{
    return find(name) != nullptr;
}

bool Settings::isNull(std::string_view name) const
{
    const AttributeValue* value = m_ctx->node.attribute(m_prefix + std::string(name));
    return value != nullptr && std::holds_alternative<std::monostate>(*value);
}

bool Settings::hasBelow(std::string_view name) const
{
    const std::string below = m_prefix + std::string(name) + ".";
    return std::ranges::any_of(m_ctx->node.attributes,
                               [&](const Attribute& attribute) { return attribute.name.starts_with(below); });
}

void Settings::wrongType(std::string_view name, std::string_view expected) const
{
    m_ctx->invalid(fmt::format("{} is not {}", nameOf(name), expected), nameOf(name));
}

bool Settings::boolean(std::string_view name, bool otherwise) const
{
    const AttributeValue* value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    if (const auto* truth = std::get_if<bool>(value)) {
        return *truth;
    }
    if (const auto* number = std::get_if<std::int64_t>(value)) {
        return *number != 0;
    }
    wrongType(name, "true or false");
}

std::int64_t Settings::integer(std::string_view name) const
{
    const AttributeValue* value = find(name);
    if (value == nullptr) {
        m_ctx->invalid(fmt::format("{} is missing", nameOf(name)), nameOf(name));
    }
    if (const auto* number = std::get_if<std::int64_t>(value)) {
        return *number;
    }
    const auto* number = std::get_if<double>(value);
    if (const auto whole = number != nullptr ? wholeNumber(*number) : std::nullopt) {
        return *whole;
    }
    wrongType(name, "an integer");
}

std::int64_t Settings::integer(std::string_view name, std::int64_t otherwise) const
{
    return has(name) ? integer(name) : otherwise;
}

Dim Settings::size(std::string_view name) const
{
    return has(name) ? Dim(requiredSize(name)) : Dim();
}

std::int64_t Settings::requiredSize(std::string_view name) const
{
    const std::int64_t size = integer(name);
    if (size < 1) {
        m_ctx->invalid(fmt::format("{} is {}, but must be positive", nameOf(name), size), nameOf(name));
    }
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max(); // products with sizes do not overflow
    if (size > most) {
        m_ctx->invalid(fmt::format("{} is {}, but must be at most {}", nameOf(name), size, most), nameOf(name));
    }
    return size;
}

double Settings::number(std::string_view name, double otherwise) const
{
    if (!has(name)) {
        return hasBelow(name) && below(std::string(name)).has("value") ? below(std::string(name)).number("value", 0)
                                                                       : otherwise; // an array object
    }
    const std::vector<double> all = numbers(name);
    if (all.size() != 1) {
        wrongType(name, "a number");
    }
    return all.front();
}

std::string Settings::text(std::string_view name, const std::string& otherwise) const
{
    const AttributeValue* value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    const auto* text = std::get_if<std::string>(value);
    if (text == nullptr) {
        wrongType(name, "a text");
    }
    return *text;
}

bool Settings::isText(std::string_view name) const
{
    const AttributeValue* value = find(name);
    return value != nullptr && std::holds_alternative<std::string>(*value);
}

bool Settings::isWhole(std::string_view name) const
{
    const AttributeValue* value = find(name);
    return value != nullptr && consistsOfIntegers(*value);
}

Ints Settings::ints(std::string_view name) const
{
    const AttributeValue* value = find(name);
    std::vector<double> all;
    if (value == nullptr || !appendNumbers(*value, all) || std::ranges::any_of(all, [](double number) {
            return number != std::trunc(number) || std::abs(number) > 1e15;
        })) {
        wrongType(name, "a list of integers");
    }
    Ints result;
    for (const double number : all) {
        result.push_back(static_cast<std::int64_t>(number));
    }
    return result;
}

Ints Settings::ints(std::string_view name, const Ints& otherwise) const
{
    return has(name) ? ints(name) : otherwise;
}

Shape Settings::shape(std::string_view name) const
{
    const AttributeValue* value = find(name);
    const auto* list = value != nullptr ? std::get_if<AttributeList>(value) : nullptr;
    Shape shape;
    if (list == nullptr) {
        const Ints sizes = ints(name);
        std::ranges::transform(sizes, std::back_inserter(shape), [](std::int64_t size) { return Dim(size); });
        return shape;
    }
    for (const AttributeValue& item : *list) {
        const auto* size = std::get_if<std::int64_t>(&item);
        if (size == nullptr && !std::holds_alternative<std::monostate>(item)) {
            wrongType(name, "a list of sizes");
        }
        shape.push_back(size != nullptr ? Dim(*size) : Dim());
    }
    return shape;
}

std::vector<double> Settings::numbers(std::string_view name) const
{
    const AttributeValue* value = find(name);
    std::vector<double> all;
    if (value == nullptr || !appendNumbers(*value, all)) {
        wrongType(name, "a list of numbers");
    }
    return all;
}

std::vector<std::string> Settings::texts(std::string_view name) const
{
    const AttributeValue* value = find(name);
    const auto* list = value != nullptr ? std::get_if<std::vector<std::string>>(value) : nullptr;
    if (list == nullptr) {
        wrongType(name, "a list of texts");
    }
    return *list;
}

Ints Settings::extents(std::string_view name) const
{
    const AttributeValue* value = find(name);
    Ints extents;
    if (value != nullptr && !measure(*value, extents)) {
        wrongType(name, "an array");
    }
    return extents;
}

} // namespace crosswalk::keras
