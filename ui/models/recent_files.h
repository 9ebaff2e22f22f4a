#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace crosswalk::ui {

/// Models opened before, the latest first, kept from one run to the next. Files that are gone are left out.
class RecentFiles final : public QObject {
    Q_OBJECT
public:
    /// Null settings: nothing is kept.
    explicit RecentFiles(QSettings* settings, QObject* parent);

    QStringList paths() const;
    void add(const QString& path);
    void clear();

signals:
    void changed();

private:
    /// By all windows: each tab adds to what the others have opened.
    QStringList stored() const;

    QSettings* m_settings;
    QStringList m_paths; ///< where there are no settings
};

} // namespace crosswalk::ui
