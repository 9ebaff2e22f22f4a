#pragma once

#include "ui/main_window/preferences.h"
#include "ui/theme/theme.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;

namespace crosswalk::ui {

/// Settings for all models. Every change takes effect immediately.
class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `place` is the settings file; empty if settings are not stored.
    SettingsDialog(Preferences& preferences, const QString& place, Qt::Orientation panes, QWidget* parent);

signals:
    void themeChosen(crosswalk::ui::ThemeChoice theme);
    void panesChosen(Qt::Orientation panes);
    void preferencesChanged();

private:
    QComboBox* addChoice(const char* name, const QString& label, QFormLayout* form);
    QCheckBox* addSwitch(const char* name, const QString& text, QFormLayout* form);
    QLineEdit* addTolerance(const char* name, const QString& label, QFormLayout* form);
    void showValues();
    void take();
    void restoreDefaults();

    Preferences& m_preferences;
    QComboBox* m_theme = nullptr;
    QComboBox* m_panes = nullptr;
    QCheckBox* m_session = nullptr;
    QComboBox* m_opset = nullptr;
    QComboBox* m_recurrent = nullptr;
    QCheckBox* m_optimize = nullptr;
    QCheckBox* m_attention = nullptr; ///< enabled with m_optimize
    QCheckBox* m_reroll = nullptr;
    QCheckBox* m_externalData = nullptr;
    QCheckBox* m_weightsInPlace = nullptr; ///< enabled with m_externalData
    QLineEdit* m_relative = nullptr;
    QLineEdit* m_absolute = nullptr;
};

} // namespace crosswalk::ui
