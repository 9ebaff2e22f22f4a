#pragma once

#include <QTabBar>

namespace crosswalk::ui {

/// Tabs that are closed by their button or a middle click: `tabCloseRequested` tells which.
class ClosableTabs final : public QTabBar {
    Q_OBJECT
public:
    ClosableTabs(const QString& objectName, const QString& accessibleName, QWidget* parent);

    /// Its number. Tabs made by addTab have no button, and no click closes them.
    int addClosable(const QString& text);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
};

} // namespace crosswalk::ui
