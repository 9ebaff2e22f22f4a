#include "ui/models/recent_files.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr qsizetype mostFiles = 10;
const QString key = QStringLiteral("recentFiles");

} // namespace

RecentFiles::RecentFiles(QSettings* settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
    if (m_settings != nullptr) {
        m_paths = m_settings->value(key).toStringList();
    }
}

QStringList RecentFiles::paths() const
{
    QStringList existing;
    std::copy_if(m_paths.begin(), m_paths.end(), std::back_inserter(existing),
                 [](const QString& path) { return QFileInfo::exists(path); });
    return existing;
}

void RecentFiles::add(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    m_paths = m_paths.mid(0, mostFiles);
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
