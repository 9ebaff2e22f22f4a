#include "tests/fuzz/mutators/mutators.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace crosswalk::fuzz {

namespace {

using Tokens = std::vector<std::string>;

enum class TokenKind : std::uint8_t { Space, Word, Number, Text, Sign };

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

TokenKind kindOf(const std::string& token)
{
    const char first = token[0];
    if (first == ' ' || first == '\n') {
        return TokenKind::Space;
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
        return TokenKind::Number;
    }
    return isWord(first) ? TokenKind::Word : first == '"' ? TokenKind::Text : TokenKind::Sign;
}

/// Spaces, words, numbers, quoted texts and single characters, which together are the code.
Tokens tokensOf(std::string_view code)
{
    Tokens tokens;
    while (!code.empty()) {
        std::size_t length = 1;
        if (code[0] == '"') {
            length = std::min(code.find('"', 1), code.size() - 1) + 1;
        } else if (code[0] == ' ' || code[0] == '\n') {
            length = std::min(code.find_first_not_of(" \n"), code.size());
        } else if (isWord(code[0])) {
            const bool isNumber = std::isdigit(static_cast<unsigned char>(code[0])) != 0;
            while (length < code.size() && (isWord(code[length]) || (isNumber && code[length] == '.'))) {
                ++length;
            }
        }
        tokens.emplace_back(code.substr(0, length));
        code.remove_prefix(length);
    }
    return tokens;
}

Tokens linesOf(std::string_view code)
{
    Tokens lines;
    while (!code.empty()) {
        const std::size_t length = std::min(code.find('\n'), code.size() - 1) + 1;
        lines.emplace_back(code.substr(0, length));
        code.remove_prefix(length);
    }
    return lines;
}

std::string joined(const Tokens& parts)
{
    std::string code;
    for (const std::string& part : parts) {
        code += part;
    }
    return code;
}

/// The token after the bracket that closes the one at `open`; the next one if there is none.
std::size_t afterBrackets(const Tokens& tokens, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += tokens[i] == "(" || tokens[i] == "[" ? 1 : tokens[i] == ")" || tokens[i] == "]" ? -1 : 0;
        if (depth == 0) {
            return i + 1;
        }
    }
    return open + 1;
}

void mutateLines(std::string& code, Draw& draw)
{
    Tokens lines = linesOf(code);
    const auto at = lines.begin() + static_cast<std::ptrdiff_t>(draw.below(lines.size()));
    switch (draw.below(3)) {
    case 0:
        lines.erase(at);
        break;
    case 1:
        lines.insert(at, std::string(draw.from(lines)));
        break;
    default:
        std::iter_swap(at, lines.begin() + static_cast<std::ptrdiff_t>(draw.below(lines.size())));
    }
    code = joined(lines);
}

void mutateTokens(std::string& code, Draw& draw)
{
    Tokens tokens = tokensOf(code);
    const std::size_t start = draw.below(tokens.size());
    const std::size_t kind = draw.below(4);
    for (std::size_t i = start; i < tokens.size(); ++i) {
        std::string& token = tokens[i];
        if (kind == 0 && kindOf(token) == TokenKind::Number) {
            token = std::to_string(draw.integer());
            break;
        }
        if (kind == 1 && kindOf(token) == TokenKind::Word) {
            const std::string& other = draw.from(tokens);
            token = kindOf(other) == TokenKind::Space ? "None" : other;
            break;
        }
        if (kind == 2 && kindOf(token) == TokenKind::Text) {
            token = mutatedBytes(token);
            break;
        }
        if (kind == 3 && (token == "(" || token == "[")) { // another argument list, or none
            const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(i);
            const std::size_t from = draw.below(tokens.size());
            const Tokens other(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                               tokens.begin() + static_cast<std::ptrdiff_t>(afterBrackets(tokens, from)));
            const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(afterBrackets(tokens, i));
            tokens.insert(tokens.erase(first, last), other.begin(), other.end());
            break;
        }
    }
    code = joined(tokens);
}

} // namespace

std::optional<std::string> mutatedScript(std::string_view bytes, Draw& draw)
{
    constexpr std::size_t looked = 4096;
    const bool isCode =
        bytes.substr(0, looked).find("def ") != std::string_view::npos && bytes.find('\0') == std::string_view::npos;
    if (!isCode) {
        return std::nullopt;
    }
    std::string code(bytes);
    for (std::size_t count = 1 + draw.below(3); count > 0 && !code.empty(); --count) {
        if (draw.chance(0.3)) {
            mutateLines(code, draw);
        } else {
            mutateTokens(code, draw);
        }
    }
    return code;
}

} // namespace crosswalk::fuzz
