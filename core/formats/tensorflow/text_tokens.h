#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// A word of protobuf's text format.
struct TextToken {
    enum class Kind : std::uint8_t { Word, Number, Text, Symbol, End };
    Kind kind = Kind::End;
    std::string text; ///< of Kind::Text without quotes and escapes, adjacent strings joined
};

/// Splits text into tokens. Skips comments (from # to the end of the line) and white space.
class TextTokens {
public:
    explicit TextTokens(std::string_view text);

    bool atEnd() const { return m_next.kind == TextToken::Kind::End; }
    const TextToken& peek() const { return m_next; }
    TextToken take();
    /// Consumes the next token if it is this symbol.
    bool takeIf(std::string_view symbol);
    /// Throws ModelError "damaged" with the line.
    [[noreturn]] void fail(const std::string& what) const;

private:
    void skipSpace();
    void advance();
    std::string quoted();
    void appendEscape(std::string& out);
    void appendCharacter(std::string& out, std::uint32_t character) const;
    std::uint32_t digits(int base, std::size_t most);

    std::string_view m_text;
    std::size_t m_position = 0;
    std::size_t m_line = 1;     ///< of the position
    std::size_t m_nextLine = 1; ///< of the next token
    TextToken m_next;
};

} // namespace crosswalk::tensorflow
