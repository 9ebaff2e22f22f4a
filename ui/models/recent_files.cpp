#include "ui/models/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace crosswalk::ui {
namespace {

constexpr qsizetype maxFiles = 10;
const QString key = QStringLiteral("recentFiles");

} // namespace

RecentFiles::RecentFiles(QSettings* settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
}

QStringList RecentFiles::stored() const
{
    return m_settings != nullptr ? m_settings->value(key).toStringList() : m_paths;
}

QStringList RecentFiles::paths() const
{
    QStringList existing = stored();
    existing.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return existing;
}

void RecentFiles::add(const QString& path)
{
    const QString whole = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    m_paths = stored();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    m_paths = m_paths.mid(0, maxFiles);
    if (m_settings != nullptr) {
        m_settings->setValue(key, m_paths);
    }
    emit changed();
}

void RecentFiles::clear()
{
    m_paths.clear();
    if (m_settings != nullptr) {
        m_settings->remove(key);
    }
    emit changed();
}

} // namespace crosswalk::ui
