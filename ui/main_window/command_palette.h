#pragma once

#include "ui/document/document.h"

#include <QFrame>

#include <cstdint>
#include <utility>

class QAction;
class QLineEdit;
class QListWidget;

namespace crosswalk::ui {

/// Finds commands and nodes of the open model by a few letters.
class CommandPalette final : public QFrame {
    Q_OBJECT
public:
    CommandPalette(Document& document, QWidget* window);

    void setCommands(QList<QAction*> commands) { m_commands = std::move(commands); }
    void open();

signals:
    void nodeChosen(crosswalk::ui::Side side, std::uint32_t box);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void fill(const QString& query);
    /// The commands in the order in which they are listed: those used last come first.
    QList<QAction*> inOrder() const;
    void run();
    /// Adapts the height to the number of results, up to a limit.
    void fit();
    void dismiss();

    Document& m_document;
    QList<QAction*> m_commands;
    QStringList m_recent; ///< object names, the one used last comes first
    QLineEdit* m_query;
    QListWidget* m_list;
    QPointer<QWidget> m_focusBefore;
};

} // namespace crosswalk::ui
