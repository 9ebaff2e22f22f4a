#pragma once

#include "tests/support/golden_pictures.h"
#include "tests/support/paths.h"
#include "tests/ui/driven_window.h"

#include <QAction>
#include <QApplication>
#include <QRegularExpression>
#include <QToolButton>

namespace crosswalk::test {

/// A text with one number for what differs from processor to processor, the roundings.
inline QString roundedAlike(QString text)
{
    static const QRegularExpression rounding(QStringLiteral("\\b\\d(\\.\\d+)?e-0?\\d+\\b"));
    return text.replace(rounding, QStringLiteral("2e-07"));
}

/// And without what differs from run to run: times, paths.
inline QString steadied(QString text)
{
    static const QRegularExpression time(QStringLiteral("\\b\\d+(\\.\\d+)? m?s\\b"));
    static const QRegularExpression digits(QStringLiteral("\\b(?!0\\.00)(\\d+\\.\\d\\d)\\d{3,}\\b"));
    static const QRegularExpression folder(QStringLiteral("(?<!\\w)/\\S*/"));
    return roundedAlike(std::move(text))
        .replace(time, QStringLiteral("41 ms"))
        .replace(digits, QStringLiteral("\\1"))
        .replace(folder, QString());
}

/// Processes events until layouts are stable: one that changes the height of a panel requests others.
inline void finishLayouts()
{
    constexpr int rounds = 4;
    for (int i = 0; i < rounds; ++i) {
        QCoreApplication::processEvents();
    }
}

/// The window as it stands there.
inline QImage pictureOf(DrivenWindow& driven)
{
    QApplication::setCursorFlashTime(0);
    finishLayouts();
    // The button that clears a field fades in, on its own.
    for (auto* field : driven.window.findChildren<QLineEdit*>()) {
        for (auto* button : field->findChildren<QToolButton*>()) {
            const auto* action = button->defaultAction();
            if (action != nullptr && action->objectName() == QLatin1String("_q_qlineeditclearaction")) {
                button->setProperty("opacity", field->text().isEmpty() ? 0.0 : 1.0);
            }
        }
    }
    for (auto* label : driven.window.findChildren<QLabel*>()) {
        if (label->isVisible() && label->text() != steadied(label->text())) {
            label->setText(steadied(label->text()));
        }
    }
    finishLayouts();
    return driven.window.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

/// Whether the window looks as it did when its picture was taken for the documentation (docs/images).
inline bool looksAsDocumented(DrivenWindow& driven, const QString& name)
{
    return isAsBefore(pictureOf(driven), (sourceFolder() + QStringLiteral("/docs/images/%1.png")).arg(name),
                      artifactsFolder() + QStringLiteral("/changed"));
}

/// The same in both themes: NAME.png and NAME_dark.png.
inline bool looksAsDocumentedInBothThemes(DrivenWindow& driven, const QString& name)
{
    const bool isLight = looksAsDocumented(driven, name);
    ui::applyTheme(ui::ThemeChoice::Dark);
    const bool isDark = looksAsDocumented(driven, name + QLatin1String("_dark"));
    ui::applyTheme(ui::ThemeChoice::Light);
    return isLight && isDark;
}

} // namespace crosswalk::test
