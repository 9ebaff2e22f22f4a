#include "core/formats/pytorch/torchscript/text_functions.h"

#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/torchscript/list_values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {

std::string limitedText(std::string text)
{
    if (text.size() > mostItems) {
        throw UnsupportedScript{"a text is too long"};
    }
    return text;
}

void unknownText()
{
    throw UnsupportedScript{"a text is used that the model chooses or computes"};
}

bool isNeverEmpty(const ScriptValue& text)
{
    const auto* known = std::get_if<std::string>(&text);
    return known != nullptr ? !known->empty() : !std::get<ComputedText>(text).length;
}

std::string shownText(const ScriptValue& text)
{
    const auto* known = std::get_if<std::string>(&text);
    return known != nullptr ? *known : std::get<ComputedText>(text).shown;
}

const std::string& textIn(const ScriptValue& value)
{
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) {
        unknownText();
    }
    return *text;
}

namespace {

using Arguments = Interpreter::Arguments;
using Tuple = std::shared_ptr<const TupleValue>;

/// The text with its placeholders filled. It is mostly the message of an exception, or a reason of which the program
/// asks whether there is one.
ScriptValue format(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    constexpr std::string_view placeholder = "{}";
    std::string text = textIn(arguments.at(0));
    bool hasText = text.find_first_not_of(placeholder) != std::string::npos;
    bool isKnown = true;
    std::size_t at = 0;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        at = text.find(placeholder, at);
        if (at == std::string::npos) {
            break;
        }
        const ScriptValue value = asText(arguments[i]);
        const auto* known = std::get_if<std::string>(&value);
        isKnown = isKnown && known != nullptr;
        hasText = hasText || isNeverEmpty(value);
        const std::string part = known != nullptr ? *known : "...";
        text = limitedText(text.replace(at, placeholder.size(), part));
        at += part.size();
    }
    if (isKnown) {
        return text;
    }
    if (!hasText) {
        unknownText();
    }
    return ComputedText{.shown = std::move(text)};
}

/// A value as a specifier of a %-format writes it; nothing for a specifier or a value that is not supported.
std::optional<ScriptValue> percentText(char specifier, const ScriptValue& value)
{
    const bool isInteger = std::holds_alternative<std::int64_t>(value);
    switch (specifier) {
    case 's':
    case 'c':
        return isText(value) || (isInteger && specifier == 's') ? std::optional(asText(value)) : std::nullopt;
    case 'd':
    case 'i':
        return isInteger ? std::optional(asText(value)) : std::nullopt;
    case 'f':
    case 'F':
        return std::holds_alternative<double>(value)
                   ? std::optional(ScriptValue(fmt::format("{:.6f}", std::get<double>(value))))
                   : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// format % values. It is used as format() is.
ScriptValue percentFormat(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    const std::string& pattern = textIn(arguments.at(0));
    Arguments values(arguments.begin() + 1, arguments.end());
    if (values.size() == 1 && std::holds_alternative<Tuple>(values[0])) {
        values = std::get<Tuple>(values[0])->items;
    }
    std::string text;
    bool isKnown = true;
    bool hasText = false;
    std::size_t used = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        if (pattern[i] != '%' || next == '%') {
            text += pattern[i];
            i += pattern[i] == '%' ? 1 : 0;
            hasText = true;
            continue;
        }
        if (used == values.size()) {
            throw Interpreter::Raised{"a format has too few values"};
        }
        const bool isNumber = numberKindOf(values[used]).has_value();
        const auto part = percentText(next, values[used++]);
        const auto* known = part ? std::get_if<std::string>(&*part) : nullptr;
        isKnown = isKnown && known != nullptr;
        hasText = hasText || isNumber || (part && isNeverEmpty(*part));
        text = limitedText(std::move(text) + (known != nullptr ? *known : "..."));
        ++i;
    }
    if (isKnown) {
        return text;
    }
    if (!hasText) {
        unknownText();
    }
    return ComputedText{.shown = std::move(text)};
}

ScriptValue lower(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    std::string text = textIn(arguments.at(0));
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

ScriptValue startsWith(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    return textIn(arguments.at(0)).starts_with(textIn(arguments.at(1)));
}

ScriptValue join(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const std::string& separator = textIn(arguments.at(0));
    std::string text;
    bool isFirst = true;
    for (const ScriptValue& item : script.itemsOf(arguments.at(1))) {
        text = limitedText(std::move(text) + (isFirst ? "" : separator) + textIn(item));
        isFirst = false;
    }
    return text;
}

} // namespace

std::span<const ScriptFunctionRow> textFunctions()
{
    static constexpr auto rows = std::to_array<ScriptFunctionRow>({
        {"aten::format", format},
        {"aten::percentFormat", percentFormat},
        {"aten::lower", lower},
        {"aten::startswith", startsWith},
        {"aten::join", join},
    });
    return rows;
}

} // namespace crosswalk::pytorch
