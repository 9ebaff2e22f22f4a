#include "core/base/visible_text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace crosswalk {
namespace {

struct Character {
    char32_t code = 0;
    std::size_t size = 0; ///< bytes; 0 if they are not UTF-8
};

Character characterAt(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > text.size()) {
        return {};
    }
    char32_t code = first & (0xffU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) {
            return {};
        }
        code = code << 6U | (byte(i) & 0x3fU);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[size] || code > 0x10ffff || isSurrogate ? Character{} : Character{code, size};
}

bool isHarmless(char32_t code)
{
    const bool isControl = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    const bool isDirection = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                             (code >= 0x2066 && code <= 0x206f);
    return !isControl && !isDirection;
}

constexpr std::string_view shortEscapes = "\n\r\t"; ///< as \n, \r and \t

enum class LineEnds { Kept, Escaped };

std::string visible(std::string_view text, LineEnds lineEnds)
{
    const bool areKept = lineEnds == LineEnds::Kept;
    const auto isPlain = [&](char c) { return (c >= 0x20 && c < 0x7f) || (areKept && (c == '\n' || c == '\t')); };
    if (std::ranges::all_of(text, isPlain)) {
        return std::string(text);
    }
    std::string shown;
    while (!text.empty()) {
        const Character character = characterAt(text);
        if (character.size == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (const auto escape = shortEscapes.find(text.front()); !areKept && escape != std::string_view::npos) {
            shown += {'\\', "nrt"[escape]};
        } else if (isHarmless(character.code)) {
            shown += text.substr(0, character.size);
        } else {
            shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(character.code));
        }
        text.remove_prefix(std::max<std::size_t>(character.size, 1));
    }
    return shown;
}

} // namespace

std::string visibleText(std::string_view text)
{
    return visible(text, LineEnds::Kept);
}

std::string visibleLine(std::string_view text)
{
    return visible(text, LineEnds::Escaped);
}

} // namespace crosswalk
