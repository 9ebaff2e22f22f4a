#pragma once

#include "core/convert/conversion.h"
#include "core/layout/scene.h"

#include <QColor>
#include <QPalette>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace crosswalk::ui {

/// The user's choice; System follows the desktop.
enum class ThemeChoice { System, Light, Dark };

/// Error of a node compared with recorded tensors, from not compared to the worst.
enum class ErrorLevel : std::uint8_t { NotCompared, Same, Tiny, Tolerated, Differs };

/// What the colour of a box represents in place of the operator's category. Ordered: of several tints in a closed group
/// the last one counts.
enum class Tint : std::uint8_t {
    None,  ///< nothing, or nothing known
    Least, ///< six steps of an amount
    Less,
    Little,
    Much,
    More,
    Most,
    Kind1, ///< kinds without an order
    Kind2,
    Kind3,
    Kind4,
    Kind5,
    Kind6,
    Kind7,
    Kind8,
    Same, ///< errors
    Tiny,
    Tolerated,
    Differs,
    Exact, ///< verdicts
    Folded,
    Blocked, ///< also an unknown amount
    Decomposed,
    Approximate,
    Unsupported,
};
inline constexpr std::size_t tintCount = static_cast<std::size_t>(Tint::Unsupported) + 1;
inline constexpr std::size_t amountSteps = 6;
inline constexpr std::size_t kindCount = 8;

/// Number of the colour of a category or tint.
using ColourNumber = std::uint8_t;
inline constexpr std::size_t categoryCount = static_cast<std::size_t>(OperatorCategory::Other) + 1;
inline constexpr std::size_t colourCount = categoryCount + tintCount;
constexpr ColourNumber colourOf(OperatorCategory category)
{
    return static_cast<ColourNumber>(category);
}
constexpr ColourNumber colourOf(Tint tint)
{
    return static_cast<ColourNumber>(categoryCount + static_cast<std::size_t>(tint));
}

/// Colours of a box by its operator category or tint.
struct HeaderColors {
    QColor header;     ///< background of the operator's name
    QColor headerText; ///< at least 4.5:1 on `header`
    QColor block;      ///< colour of the box seen from afar
};

/// All colours of the window. Texts have a contrast of at least 4.5:1 to their background (tested).
struct Theme {
    bool isDark = false;

    // Windows, docks, controls.
    QColor window, panel, field, raised;
    QColor line, strongLine;
    QColor text, mutedText, disabledText;
    QColor accent, accentText, accentHover, accentSoft;
    QColor link;

    // The canvas.
    QColor canvas, dots;
    QColor nodeBody, nodeLine, nodeText, nodeMuted;
    QColor edge, edgeLoop, edgeLit; ///< edgeLoop: leads back
    QColor selection, counterpart, hover;
    QColor tag, tagText;

    // Verdicts and severities: colours of marks, and muted backgrounds for banners.
    QColor decomposed, approximate, unsupported, folded, exact;
    QColor softWarning, softError, softInfo;
    QColor warningText, errorText, infoText, successText;

    const HeaderColors& category(OperatorCategory category) const
    {
        return categories[static_cast<std::size_t>(category)];
    }
    std::array<HeaderColors, categoryCount> categories;
    const HeaderColors& tint(Tint tint) const { return tints[static_cast<std::size_t>(tint)]; }
    const HeaderColors& error(ErrorLevel level) const { return tint(tintOf(level)); }
    static Tint tintOf(ErrorLevel level);
    std::array<HeaderColors, tintCount> tints;
    const HeaderColors& colours(ColourNumber number) const
    {
        return number < categoryCount ? categories[number] : tints[number - categoryCount];
    }

    /// Colour of a verdict's stripe and icon; invalid for Exact, which has neither.
    QColor verdict(Verdict verdict) const;
    QColor severity(Severity severity) const;
    /// Background and text of a badge: an informative one, or a warning.
    std::pair<QColor, QColor> badge(bool isInfo) const;
    QPalette palette() const;
    /// The style sheet on top of Fusion: styles that a palette cannot express.
    QString styleSheet() const;
};

const Theme& lightTheme();
const Theme& darkTheme();
/// The current theme (light until one is applied).
const Theme& theme();

/// Applies the choice to the whole application: palette, style sheet, icons. Widgets with custom painting receive
/// QEvent::PaletteChange.
void applyTheme(ThemeChoice choice);
ThemeChoice themeChoice();

/// WCAG contrast of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);
QColor mix(const QColor& a, const QColor& b, double share);

} // namespace crosswalk::ui
