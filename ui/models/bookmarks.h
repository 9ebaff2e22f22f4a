#pragma once

#include <QString>
#include <QStringList>

#include <cstddef>
#include <vector>

class QSettings;

namespace crosswalk::ui {

/// The bookmarked nodes of a model by their labels, which survive conversions and runs. Stored in the settings for the
/// models that were bookmarked last.
class Bookmarks {
public:
    struct Bookmark {
        std::size_t side = 0; ///< 0: source, 1: ONNX
        QString label;
        friend bool operator==(const Bookmark&, const Bookmark&) = default;
    };

    /// Null settings: nothing is stored.
    explicit Bookmarks(QSettings* settings)
        : m_settings(settings)
    {
    }

    /// Switches to the bookmarks of another model.
    void open(const QString& model);
    /// In the order in which they were set.
    const std::vector<Bookmark>& list() const { return m_list; }
    /// Sets a bookmark, or removes it.
    void toggle(const Bookmark& bookmark);
    void clear();

private:
    void store() const;

    QSettings* m_settings;
    QString m_model;
    std::vector<Bookmark> m_list;
};

} // namespace crosswalk::ui
