#pragma once

#include <QTabBar>

namespace crosswalk::ui {

/// Tabs that are closed by their button or a middle click; both emit `tabCloseRequested`.
class ClosableTabs final : public QTabBar {
    Q_OBJECT
public:
    ClosableTabs(const QString& objectName, const QString& accessibleName, QWidget* parent);

    /// Adds a tab with a close button and returns its index. Tabs created by addTab have no button and ignore clicks.
    int addClosable(const QString& text);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
};

} // namespace crosswalk::ui
