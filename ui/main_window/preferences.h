#pragma once

#include "crosswalk/options.h"
#include "ui/document/export_settings.h"

#include <QVariantMap>

#include <memory>

class QSettings;

namespace crosswalk::ui {

/// Settings for all models, stored between runs.
class Preferences {
public:
    /// Null settings: values are kept in memory only.
    explicit Preferences(QSettings* settings)
        : m_settings(settings)
    {
    }

    /// The initial conversion options of a model.
    ConvertOptions startingOptions() const;
    ExportSettings exportSettings() const;
    bool restoresSession() const;

    void setStartingOptions(const ConvertOptions& options);
    void setExportSettings(const ExportSettings& settings);
    void setRestoresSession(bool restores);
    void forget();

private:
    QVariant value(const char* key, const QVariant& otherwise) const;
    void setValue(const char* key, const QVariant& value);

    QSettings* m_settings;
    QVariantMap m_own;
};

/// A new settings object on the same file, for another window that owns it. Null if `settings` is null.
std::unique_ptr<QSettings> openedAgain(const QSettings* settings);

} // namespace crosswalk::ui
