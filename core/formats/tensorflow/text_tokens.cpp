#include "core/formats/tensorflow/text_tokens.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int digitOf(char c)
{
    if (isDigit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

} // namespace

TextTokens::TextTokens(std::string_view text)
    : m_text(text)
{
    advance();
}

TextToken TextTokens::take()
{
    TextToken token = std::move(m_next);
    advance();
    return token;
}

bool TextTokens::takeIf(std::string_view symbol)
{
    const bool is = m_next.kind == TextToken::Kind::Symbol && m_next.text == symbol;
    if (is) {
        advance();
    }
    return is;
}

void TextTokens::fail(const std::string& what) const
{
    throw ModelError("damaged", fmt::format("line {}: {}", m_nextLine, what));
}

void TextTokens::skipSpace()
{
    while (m_position < m_text.size()) {
        const char c = m_text[m_position];
        if (c == '#') {
            m_position = std::min(m_text.find('\n', m_position), m_text.size());
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            return;
        }
        m_line += c == '\n' ? 1 : 0;
        ++m_position;
    }
}

void TextTokens::advance()
{
    skipSpace();
    m_nextLine = m_line;
    m_next = {};
    if (m_position == m_text.size()) {
        return;
    }
    const char c = m_text[m_position];
    if (c == '"' || c == '\'') {
        m_next.kind = TextToken::Kind::Text;
        while (m_position < m_text.size() && (m_text[m_position] == '"' || m_text[m_position] == '\'')) {
            m_next.text += quoted();
            skipSpace();
        }
        return;
    }
    const std::size_t begin = m_position;
    const bool isNumber = isDigit(c) || c == '.';
    if (!isNumber && !isLetter(c)) {
        ++m_position;
        m_next = {TextToken::Kind::Symbol, std::string(1, c)};
        return;
    }
    while (m_position < m_text.size()) {
        const char next = m_text[m_position];
        const bool isExponent = isNumber && (next == '-' || next == '+') &&
                                (m_text[m_position - 1] == 'e' || m_text[m_position - 1] == 'E');
        if (!isDigit(next) && !isLetter(next) && !isExponent && !(isNumber && next == '.')) {
            break;
        }
        ++m_position;
    }
    m_next = {isNumber ? TextToken::Kind::Number : TextToken::Kind::Word,
              std::string(m_text.substr(begin, m_position - begin))};
}

std::string TextTokens::quoted()
{
    const char quote = m_text[m_position++];
    std::string out;
    while (m_position < m_text.size() && m_text[m_position] != quote && m_text[m_position] != '\n') {
        if (m_text[m_position] == '\\') {
            ++m_position;
            appendEscape(out);
        } else {
            out += m_text[m_position++];
        }
    }
    if (m_position == m_text.size() || m_text[m_position] != quote) {
        fail("a string is not terminated");
    }
    ++m_position;
    return out;
}

void TextTokens::appendEscape(std::string& out)
{
    const char c = m_position < m_text.size() ? m_text[m_position] : '\0';
    constexpr std::string_view letters = "abfnrtv\\'\"?";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\'\"?";
    if (const std::size_t found = letters.find(c); found != std::string_view::npos) {
        ++m_position;
        out += meanings[found];
    } else if (c == 'x' || c == 'X') {
        ++m_position;
        out += static_cast<char>(digits(16, 2));
    } else if (c == 'u' || c == 'U') {
        ++m_position;
        appendCharacter(out, digits(16, c == 'u' ? 4 : 8));
    } else if (c >= '0' && c <= '7') {
        out += static_cast<char>(digits(8, 3));
    } else {
        fail(fmt::format("'\\{}' is not an escape sequence", c));
    }
}

std::uint32_t TextTokens::digits(int base, std::size_t most)
{
    std::uint32_t value = 0;
    std::size_t count = 0;
    while (count < most && m_position < m_text.size() && digitOf(m_text[m_position]) < base) {
        value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digitOf(m_text[m_position]));
        ++m_position;
        ++count;
    }
    if (count == 0) {
        fail("an escape sequence without digits");
    }
    return value;
}

void TextTokens::appendCharacter(std::string& out, std::uint32_t character) const
{
    if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) {
        fail("an escape sequence for an invalid character");
    }
    if (character < 0x80) {
        out += static_cast<char>(character);
        return;
    }
    const unsigned following = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    const unsigned lead = following == 1 ? 0xc0 : following == 2 ? 0xe0 : 0xf0;
    out += static_cast<char>(lead | (character >> (6 * following)));
    for (unsigned i = following; i-- > 0;) {
        out += static_cast<char>(0x80U | ((character >> (6 * i)) & 0x3fU));
    }
}

} // namespace crosswalk::tensorflow
