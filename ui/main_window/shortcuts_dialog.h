#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace crosswalk::ui {

/// Lists what the mouse and keys do in a graph, and the shortcuts of commands.
class ShortcutsDialog final : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const QList<QAction*>& commands, QWidget* parent);
};

} // namespace crosswalk::ui
