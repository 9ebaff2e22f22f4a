#pragma once

#include "core/convert/conversion.h"
#include "core/layout/scene.h"

#include <QColor>
#include <QPalette>

namespace crosswalk::ui {

/// The user's choice; System follows the desktop.
enum class ThemeChoice { System, Light, Dark };

/// Error of a node compared with recorded tensors, from not compared to the worst.
enum class ErrorLevel : std::uint8_t { NotCompared, Same, Tiny, Tolerated, Differs };

/// Tint of one operator category, or of a level of error.
struct HeaderColors {
    QColor header;     ///< behind the operator's name
    QColor headerText; ///< at least 4.5:1 on `header`
    QColor block;      ///< the box seen from afar
};

/// Every colour of the window. Texts keep a contrast of at least 4.5:1 to what they stand on (tested).
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

    // Verdicts and severities: marks, and the soft ground that banners use.
    QColor decomposed, approximate, unsupported, folded, exact;
    QColor softWarning, softError, softInfo;
    QColor warningText, errorText, infoText, successText;

    const HeaderColors& category(OperatorCategory category) const
    {
        return categories[static_cast<std::size_t>(category)];
    }
    std::array<HeaderColors, 10> categories;
    const HeaderColors& error(ErrorLevel level) const { return errors[static_cast<std::size_t>(level)]; }
    std::array<HeaderColors, 5> errors;

    /// Colour of a verdict's stripe and icon; invalid for Exact, which has neither.
    QColor verdict(Verdict verdict) const;
    QColor severity(Severity severity) const;
    /// Ground and text of a badge: one that only tells, or one that warns.
    std::pair<QColor, QColor> badge(bool tells) const;
    QPalette palette() const;
    /// The style sheet over Fusion: what a palette cannot say.
    QString styleSheet() const;
};

const Theme& lightTheme();
const Theme& darkTheme();
/// The theme in force (light until one is applied).
const Theme& theme();

/// Puts the choice in force for the whole application: palette, style sheet, icons. Widgets that paint
/// themselves get QEvent::PaletteChange.
void applyTheme(ThemeChoice choice);
ThemeChoice themeChoice();

/// WCAG contrast of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);
QColor mix(const QColor& a, const QColor& b, double share);

} // namespace crosswalk::ui
