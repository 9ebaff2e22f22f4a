#include "core/layout/palette.h"

#include <array>

namespace crosswalk {
namespace {

constexpr Palette light{0xF7F8FA, 0xFFFFFF, 0xB4BCC8, 0x1B2430, 0x2B3542, 0x5A6675, 0x7C8797, 0x4A5666, 0xB03A7E};
constexpr Palette dark{0x1B1E24, 0x262B33, 0x4C5664, 0xF2F5F9, 0xE1E6ED, 0xA5B0BE, 0x8793A3, 0xB4BFCC, 0xE08ABF};

// In the order of OperatorCategory.
constexpr std::array<Rgb, 10> lightTints{0xE3D4F5, 0xCFE0FA, 0xD3F0E4, 0xE7EFBD, 0xD0ECF3,
                                         0xE4E6EA, 0xF3E6D0, 0xF4D3E6, 0xDCE6DE, 0xEAE7E4};
constexpr std::array<Rgb, 10> darkTints{0x573B7D, 0x2C4C82, 0x1F5B47, 0x525C1C, 0x22586A,
                                        0x454D59, 0x5E4D33, 0x73355A, 0x3C5245, 0x4F4B47};

} // namespace

const Palette& palette(Theme theme)
{
    return theme == Theme::Light ? light : dark;
}

Rgb headerTint(OperatorCategory category, Theme theme)
{
    return (theme == Theme::Light ? lightTints : darkTints)[static_cast<std::size_t>(category)];
}

Rgb verdictColour(Verdict verdict, Theme theme)
{
    const bool isLight = theme == Theme::Light;
    switch (verdict) {
    case Verdict::Decomposed:
        return isLight ? 0x0072B2 : 0x56B4E9;
    case Verdict::Approximate:
        return isLight ? 0xC07800 : 0xF0B429;
    case Verdict::Unsupported:
        return isLight ? 0xC62828 : 0xFF6B5E;
    case Verdict::Folded:
        return isLight ? 0x7A8595 : 0x7E8A9A;
    case Verdict::Exact:
        break;
    }
    return palette(theme).border;
}

} // namespace crosswalk
