#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace crosswalk::ui {

/// Recently opened models, the latest first, stored in the settings. Omits files that no longer exist.
class RecentFiles final : public QObject {
    Q_OBJECT
public:
    /// Null settings: nothing is stored.
    explicit RecentFiles(QSettings* settings, QObject* parent);

    QStringList paths() const;
    void add(const QString& path);
    void clear();

signals:
    void changed();

private:
    /// The list in the settings, which all windows share and extend.
    QStringList stored() const;

    QSettings* m_settings;
    QStringList m_paths; ///< used if there are no settings
};

} // namespace crosswalk::ui
