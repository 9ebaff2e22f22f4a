#include "ui/theme/theme.h"

#include "ui/theme/plain_labels.h"
#include "ui/theme/styled_parts.h"

#include <QApplication>
#include <QStyleHints>

#include <cmath>
#include <utility>

namespace crosswalk::ui {
namespace {

struct InForce {
    ThemeChoice choice = ThemeChoice::System;
    const Theme* theme = &lightTheme();
};

InForce& inForce()
{
    static InForce state;
    return state;
}

bool desktopIsDark()
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    // Before Qt 6.5 the desktop's colour scheme is visible only in its palette, which is read once, before ours
    // replaces it.
    static const bool dark = [] {
        const QPalette given = QGuiApplication::palette();
        return given.color(QPalette::Window).lightnessF() < given.color(QPalette::WindowText).lightnessF();
    }();
    return dark;
#endif
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QColor Theme::verdict(Verdict verdict) const
{
    switch (verdict) {
    case Verdict::Exact:
        break;
    case Verdict::Decomposed:
        return decomposed;
    case Verdict::Approximate:
        return approximate;
    case Verdict::Unsupported:
        return unsupported;
    case Verdict::Folded:
        return folded;
    }
    return {};
}

Tint Theme::tintOf(ErrorLevel level)
{
    switch (level) {
    case ErrorLevel::NotCompared:
        break;
    case ErrorLevel::Same:
        return Tint::Same;
    case ErrorLevel::Tiny:
        return Tint::Tiny;
    case ErrorLevel::Tolerated:
        return Tint::Tolerated;
    case ErrorLevel::Differs:
        return Tint::Differs;
    }
    return Tint::None;
}

std::pair<QColor, QColor> Theme::badge(bool isInfo) const
{
    return isDark   ? std::pair(isInfo ? softInfo : softWarning, isInfo ? infoText : warningText)
           : isInfo ? std::pair(infoText, QColor(Qt::white))
                    : std::pair(warningText, QColor(Qt::white));
}

QColor Theme::severity(Severity severity) const
{
    switch (severity) {
    case Severity::Error:
        return unsupported;
    case Severity::Warning:
        return approximate;
    case Severity::Note:
        break;
    }
    return decomposed;
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, field);
    p.setColor(QPalette::AlternateBase, panel);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, mutedText);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, accentText);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentText);
    p.setColor(QPalette::Link, link);
    p.setColor(QPalette::LinkVisited, link);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Light, raised);
    p.setColor(QPalette::Midlight, line);
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, strongLine);
    p.setColor(QPalette::Shadow, strongLine);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, disabledText);
    }
    p.setColor(QPalette::Disabled, QPalette::Highlight, strongLine);
    return p;
}

const Theme& theme()
{
    return *inForce().theme;
}

ThemeChoice themeChoice()
{
    return inForce().choice;
}

void applyTheme(ThemeChoice choice)
{
    const bool systemIsDark = desktopIsDark();
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    inForce() = {choice, dark ? &darkTheme() : &lightTheme()};
    static bool styled = false;
    if (!std::exchange(styled, true)) {
        QApplication::setStyle(QStringLiteral("Fusion"));
        showPlainLabels();
    }
    QApplication::setPalette(theme().palette());
    setStyleSheet(theme().styleSheet());
}

double contrast(const QColor& a, const QColor& b)
{
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share)
{
    const auto channel = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue()),
            channel(a.alpha(), b.alpha())};
}

} // namespace crosswalk::ui
