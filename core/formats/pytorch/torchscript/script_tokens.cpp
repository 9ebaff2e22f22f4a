#include "core/formats/pytorch/torchscript/script_tokens.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using TokenKind = ScriptToken::Kind;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

int hexValue(char c)
{
    return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class Tokenizer {
public:
    Tokenizer(std::string_view code, const std::string& file)
        : m_code(code)
        , m_file(file)
    {
    }

    std::vector<ScriptToken> run()
    {
        while (m_at < m_code.size()) {
            if (m_isLineStart && m_depth == 0) {
                indent();
                if (m_at >= m_code.size()) {
                    break;
                }
            }
            next();
        }
        if (!m_tokens.empty() && m_tokens.back().kind != TokenKind::NewLine) {
            add(TokenKind::NewLine, {});
        }
        for (; m_indents.size() > 1; m_indents.pop_back()) {
            add(TokenKind::Dedent, {});
        }
        add(TokenKind::End, {});
        return std::move(m_tokens);
    }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_code.size() ? m_code[m_at + ahead] : '\0'; }

    ScriptPosition here() const { return {m_line, static_cast<std::uint32_t>(m_at - m_lineStart + 1)}; }

    void add(TokenKind kind, std::string text) { m_tokens.push_back({kind, std::move(text), here()}); }

    [[noreturn]] void fail(std::string_view message) const { scriptError(m_file, here(), message); }

    void endLine()
    {
        ++m_at;
        ++m_line;
        m_lineStart = m_at;
    }

    /// Compares the indentation of a line with the lines before. Empty lines and comments have none.
    void indent()
    {
        m_isLineStart = false;
        std::size_t width = 0;
        while (peek() == ' ') {
            ++m_at;
            ++width;
        }
        if (peek() == '\n' || peek() == '\r' || peek() == '#' || m_at >= m_code.size()) {
            return;
        }
        if (width > m_indents.back()) {
            m_indents.push_back(width);
            add(TokenKind::Indent, {});
        }
        while (width < m_indents.back()) {
            m_indents.pop_back();
            add(TokenKind::Dedent, {});
        }
        if (width != m_indents.back()) {
            fail("the indentation matches no line before");
        }
    }

    void next()
    {
        const char c = peek();
        if (c == '\n') {
            const bool isBlank = m_tokens.empty() || m_tokens.back().kind == TokenKind::NewLine ||
                                 m_tokens.back().kind == TokenKind::Indent || m_tokens.back().kind == TokenKind::Dedent;
            if (m_depth == 0) {
                m_isLineStart = true;
                if (!isBlank) {
                    add(TokenKind::NewLine, {});
                }
            }
            endLine();
        } else if (c == ' ' || c == '\r' || c == '\t') {
            ++m_at;
        } else if (c == '#') {
            while (m_at < m_code.size() && peek() != '\n') {
                ++m_at;
            }
        } else if (isNameStart(c)) {
            name();
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number();
        } else if (c == '"' || c == '\'') {
            text(c);
        } else {
            punctuation(c);
        }
    }

    void name()
    {
        const std::size_t start = m_at;
        const ScriptPosition position = here();
        while (isNameStart(peek()) || isDigit(peek())) {
            ++m_at;
        }
        m_tokens.push_back({TokenKind::Name, std::string(m_code.substr(start, m_at - start)), position});
    }

    void number()
    {
        const std::size_t start = m_at;
        const ScriptPosition position = here();
        bool isReal = false;
        while (isDigit(peek())) {
            ++m_at;
        }
        if (peek() == '.') {
            isReal = true;
            ++m_at;
            while (isDigit(peek())) {
                ++m_at;
            }
        }
        if ((peek() == 'e' || peek() == 'E') &&
            (isDigit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && isDigit(peek(2))))) {
            isReal = true;
            m_at += 2;
            while (isDigit(peek())) {
                ++m_at;
            }
        }
        if (peek() == 'j') {
            fail("complex numbers are not supported");
        }
        m_tokens.push_back(
            {isReal ? TokenKind::Real : TokenKind::Integer, std::string(m_code.substr(start, m_at - start)), position});
    }

    void text(char quote)
    {
        const ScriptPosition position = here();
        ++m_at;
        std::string value;
        while (peek() != quote) {
            if (m_at >= m_code.size() || peek() == '\n') {
                fail("a string does not end");
            }
            if (peek() == '\\') {
                value += escaped();
            } else {
                value += m_code[m_at++];
            }
        }
        ++m_at;
        m_tokens.push_back({TokenKind::Text, std::move(value), position});
    }

    char escaped()
    {
        ++m_at;
        const char c = peek();
        ++m_at;
        switch (c) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case 'r':
            return '\r';
        case 'a':
            return '\a';
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'v':
            return '\v';
        case 'x': {
            const int high = hexValue(peek());
            const int low = hexValue(peek(1));
            if (high < 0 || low < 0) {
                fail("an escape sequence is not valid");
            }
            m_at += 2;
            return static_cast<char>(high * 16 + low);
        }
        default:
            break;
        }
        if (c < '0' || c > '7') {
            return c;
        }
        int value = c - '0';
        for (int digits = 1; digits < 3 && peek() >= '0' && peek() <= '7'; ++digits) {
            value = value * 8 + (m_code[m_at++] - '0');
        }
        return static_cast<char>(value);
    }

    void punctuation(char c)
    {
        constexpr std::string_view known = "()[]{},:=.-+*<>@;";
        if (known.find(c) == std::string_view::npos) {
            fail(fmt::format("the character {} is not expected",
                             fmt::format("0x{:02x}", static_cast<unsigned char>(c))));
        }
        const ScriptPosition position = here();
        const std::size_t length = c == '-' && peek(1) == '>' ? 2 : 1;
        if (c == '(' || c == '[' || c == '{') {
            ++m_depth;
        } else if (c == ')' || c == ']' || c == '}') {
            if (m_depth == 0) {
                fail("a bracket is closed that is not open");
            }
            --m_depth;
        }
        m_tokens.push_back({TokenKind::Punctuation, std::string(m_code.substr(m_at, length)), position});
        m_at += length;
    }

    std::string_view m_code;
    const std::string& m_file;
    std::vector<ScriptToken> m_tokens;
    std::vector<std::size_t> m_indents{0};
    std::size_t m_at = 0;
    std::size_t m_lineStart = 0;
    std::uint32_t m_line = 1;
    std::size_t m_depth = 0; ///< of brackets
    bool m_isLineStart = true;
};

} // namespace

std::vector<ScriptToken> scriptTokens(std::string_view code, const std::string& file)
{
    return Tokenizer(code, file).run();
}

void scriptError(const std::string& file, ScriptPosition position, std::string_view message)
{
    throw ModelError("damaged", fmt::format("{}:{}:{}: {}", file, position.line, position.column, message));
}

} // namespace crosswalk::pytorch
