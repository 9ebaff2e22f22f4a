#pragma once

#include <QObject>
#include <QString>

#include <filesystem>

class QLabel;

namespace crosswalk::ui {

class Banner;
class Document;
class Toast;

/// The banner of an edit, and of the failed conversion that follows from it.
inline const QString editBanner = QStringLiteral("edit");

/// Where the window reports to the user: the message of the status bar, a banner over the graphs that stays until its
/// cause disappears, and a short toast.
class Messages final : public QObject {
    Q_OBJECT
public:
    /// Banner and toast lie over `area`.
    Messages(QWidget& area, Document& document);

    Banner& banner() { return *m_banner; }
    /// For the status bar.
    QLabel* label() { return m_label; }
    void show(const QString& text, const QString& toolTip = {});
    void clear();
    /// Shows the text when the running conversion succeeds.
    void showWhenConverted(const QString& text);
    /// What can be done with a written file.
    void offerFile(const QString& text, const std::filesystem::path& file);
    void reportInternalError(const QString& activity, const QString& what);

private:
    Document& m_document;
    Banner* m_banner;
    Toast* m_toast;
    QLabel* m_label;
    QString m_whenConverted;
};

} // namespace crosswalk::ui
