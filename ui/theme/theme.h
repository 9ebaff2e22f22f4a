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

/// Tint of an operator category or of an error level.
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
    std::array<HeaderColors, 10> categories;
    const HeaderColors& error(ErrorLevel level) const { return errors[static_cast<std::size_t>(level)]; }
    std::array<HeaderColors, 5> errors;

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
