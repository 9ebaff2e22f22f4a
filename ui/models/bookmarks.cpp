#include "ui/models/bookmarks.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QVariantMap>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr qsizetype maxModels = 50;
const QString modelsKey = QStringLiteral("bookmarks/models"); ///< the model bookmarked last comes first
const QString listsKey = QStringLiteral("bookmarks/lists");

} // namespace

void Bookmarks::open(const QString& model)
{
    m_model = model.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(model).absoluteFilePath());
    m_list.clear();
    if (m_settings == nullptr || m_model.isEmpty()) {
        return;
    }
    const auto at = m_settings->value(modelsKey).toStringList().indexOf(m_model);
    const QVariantList lists = m_settings->value(listsKey).toList();
    const QStringList stored = at >= 0 && at < lists.size() ? lists[at].toStringList() : QStringList();
    for (const QString& entry : stored) {
        if (entry.size() > 1) {
            m_list.push_back({entry.front() == u'1' ? std::size_t{1} : std::size_t{0}, entry.mid(1)});
        }
    }
}

void Bookmarks::toggle(const Bookmark& bookmark)
{
    if (std::erase(m_list, bookmark) == 0) {
        m_list.push_back(bookmark);
    }
    store();
}

void Bookmarks::clear()
{
    m_list.clear();
    store();
}

void Bookmarks::store() const
{
    if (m_settings == nullptr || m_model.isEmpty()) {
        return;
    }
    QStringList models = m_settings->value(modelsKey).toStringList();
    QVariantList lists = m_settings->value(listsKey).toList();
    lists.resize(models.size()); // the settings may have been edited
    if (const auto at = models.indexOf(m_model); at >= 0) {
        models.removeAt(at);
        lists.removeAt(at);
    }
    if (!m_list.empty()) {
        QStringList entries;
        for (const auto& [side, label] : m_list) {
            entries.append(QString::number(side) + label);
        }
        models.prepend(m_model);
        lists.prepend(entries);
    }
    m_settings->setValue(modelsKey, models.mid(0, maxModels));
    m_settings->setValue(listsKey, lists.mid(0, maxModels));
}

} // namespace crosswalk::ui
