#include "core/formats/pytorch/symbolic_size.h"

#include <algorithm>
#include <charconv>

namespace crosswalk::pytorch {
namespace {

bool isName(std::string_view text)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && isLetter(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

/// The text between `begin` and the next `end`; empty if the whole does not start with `begin`.
std::string_view between(std::string_view text, std::string_view begin, char end)
{
    const std::size_t last = text.starts_with(begin) ? text.find(end, begin.size()) : std::string_view::npos;
    return last == std::string_view::npos ? std::string_view() : text.substr(begin.size(), last - begin.size());
}

} // namespace

Dim dimOf(std::string_view expression)
{
    const std::string_view symbol = between(expression, "Symbol('", '\'');
    const bool isWhole = expression.find('(', 7) == std::string_view::npos && expression.ends_with(')');
    if (isName(symbol) && isWhole) {
        return Dim(std::string(symbol));
    }
    if (isName(expression)) {
        return Dim(std::string(expression));
    }
    const std::string_view number =
        expression.starts_with("Integer(") ? between(expression, "Integer(", ')') : expression;
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), size);
    return error == std::errc() && end == number.data() + number.size() && size >= 0 ? Dim(size) : Dim();
}

} // namespace crosswalk::pytorch
