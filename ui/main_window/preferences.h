#pragma once

#include "core/convert/options.h"
#include "ui/document/export_settings.h"

#include <QVariantMap>

#include <memory>

class QSettings;

namespace crosswalk::ui {

/// What the user wants of every model, kept from one run to the next.
class Preferences {
public:
    /// Null settings: kept in this object alone.
    explicit Preferences(QSettings* settings)
        : m_settings(settings)
    {
    }

    /// What the conversion of a model starts from.
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

/// The same settings for another window, which closes its own. Null of null.
std::unique_ptr<QSettings> openedAgain(const QSettings* settings);

} // namespace crosswalk::ui
