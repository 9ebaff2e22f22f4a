#include "core/layout/font_metrics.h"

#include "core/layout/scene.h"

#include <cstdint>
#include <vector>

namespace crosswalk {
namespace {

struct AdvanceRange {
    char32_t first;
    char32_t last;
    std::size_t offset; ///< index of `first` in the tables of advances
};

// clang-format off
#include "core/layout/font_advances.inc"
// clang-format on

/// Characters that are missing in the bundled font come from a system font; wide ones occupy a full square.
constexpr float wideAdvance = 1.0F;
constexpr float strangeAdvance = 0.62F;
bool isWide(char32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0x1F300 && c <= 0x3FFFD);
}

float advance(char32_t c, bool bold)
{
    for (const AdvanceRange& range : ranges) {
        if (c >= range.first && c <= range.last) {
            const auto index = range.offset + (c - range.first);
            return static_cast<float>(bold ? semiBoldAdvances[index] : regularAdvances[index]) / unitsPerEm;
        }
    }
    return isWide(c) ? wideAdvance : strangeAdvance;
}

} // namespace

char32_t nextCharacter(std::string_view utf8, std::size_t& at)
{
    constexpr char32_t replacement = 0xFFFD;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
    const unsigned char lead = byte(at++);
    if (lead < 0x80) {
        return lead;
    }
    const int following = lead >= 0xF0 && lead < 0xF5   ? 3
                          : lead >= 0xE0 && lead < 0xF0 ? 2
                          : lead >= 0xC2 && lead < 0xE0 ? 1
                                                        : 0;
    if (following == 0) {
        return replacement;
    }
    char32_t c = lead & (0x3FU >> following);
    for (int i = 0; i < following; ++i) {
        if (at >= utf8.size() || (byte(at) & 0xC0U) != 0x80U) {
            return replacement;
        }
        c = (c << 6U) | (byte(at++) & 0x3FU);
    }
    return c;
}

float textWidth(std::string_view utf8, float pixelSize, bool bold)
{
    const auto isDigit = [&](std::size_t i) { return i < utf8.size() && utf8[i] >= '0' && utf8[i] <= '9'; };
    float ems = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t start = at;
        const char32_t c = nextCharacter(utf8, at);
        // Between digits, Inter replaces an x by a multiplication sign.
        const bool isCross = c == U'x' && start > 0 && isDigit(start - 1) && isDigit(at);
        ems += advance(isCross ? U'\u00d7' : c, bold);
    }
    return ems * pixelSize;
}

std::string elideMiddle(std::string_view utf8, float pixelSize, float room, bool bold)
{
    if (textWidth(utf8, pixelSize, bold) <= room) {
        return std::string(utf8);
    }
    std::vector<std::size_t> starts; // byte offsets of the characters
    for (std::size_t at = 0; at < utf8.size();) {
        starts.push_back(at);
        nextCharacter(utf8, at);
    }
    starts.push_back(utf8.size());
    constexpr std::string_view ellipsis = "\u2026";
    const auto kept = [&](std::size_t characters) {
        // Keep more of the end of a name than of its start: stage1_unit2_conv, stage1_unit2_relu.
        const std::size_t front = characters / 2;
        const std::size_t back = characters - front;
        return std::string(utf8.substr(0, starts[front]))
            .append(ellipsis)
            .append(utf8.substr(starts[starts.size() - 1 - back]));
    };
    std::size_t fits = 0;
    for (std::size_t low = 1, high = starts.size() - 1; low <= high;) {
        const std::size_t middle = (low + high) / 2;
        if (textWidth(kept(middle), pixelSize, bold) <= room) {
            fits = middle;
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return kept(fits);
}

} // namespace crosswalk
