#include "core/formats/mxnet/symbol_attributes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace crosswalk::mxnet {
namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool equalIgnoringCase(std::string_view text, std::string_view lower)
{
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
}

} // namespace

std::optional<std::string_view> findAttribute(SymbolAttributes attributes, std::string_view key)
{
    for (const SymbolAttribute& attribute : attributes) {
        if (attribute.key == key) {
            return attribute.value;
        }
    }
    return std::nullopt;
}

bool flag(SymbolAttributes attributes, std::string_view key, bool fallback)
{
    const auto text = trimmed(findAttribute(attributes, key).value_or(""));
    if (text == "1" || equalIgnoringCase(text, "true")) {
        return true;
    }
    return text == "0" || equalIgnoringCase(text, "false") ? false : fallback;
}

std::optional<std::int64_t> integer(SymbolAttributes attributes, std::string_view key)
{
    const auto text = findAttribute(attributes, key);
    return text ? wholeNumber(trimmed(*text)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> integers(std::string_view text)
{
    text = trimmed(text);
    if (text.empty()) {
        return std::nullopt;
    }
    if ((text.front() == '(' && text.back() == ')') || (text.front() == '[' && text.back() == ']')) {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        auto part = trimmed(text.substr(0, comma));
        if (part.ends_with('L')) { // Python 2 wrote its long integers so.
            part.remove_suffix(1);
        }
        const auto number = wholeNumber(part);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
        text = trimmed(text.substr(std::min(comma + 1, text.size())));
    }
    return numbers;
}

std::optional<std::vector<std::int64_t>> integers(SymbolAttributes attributes, std::string_view key)
{
    const auto text = findAttribute(attributes, key);
    return text ? integers(*text) : std::nullopt;
}

bool isHiddenKey(std::string_view key)
{
    if (key.size() > 4 && key.starts_with("__") && key.ends_with("__")) {
        return true;
    }
    // Before 0.9 these had no underscores, and could name the input that they are for: weight_lr_mult.
    constexpr std::array<std::string_view, 5> old = {"lr_mult", "wd_mult", "ctx_group", "force_mirroring",
                                                     "mirror_stage"};
    return std::any_of(old.begin(), old.end(), [&](std::string_view name) {
        return key == name || (key.ends_with(name) && key[key.size() - name.size() - 1] == '_');
    });
}

} // namespace crosswalk::mxnet
