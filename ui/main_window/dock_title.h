#pragma once

#include <QDockWidget>

class QLabel;

namespace crosswalk::ui {

/// Title bar of a dock: its name (unless a tab shows it), and buttons to float and close it. Empty while the dock is a
/// tab below the graphs, where BottomArea has these buttons.
class DockTitle final : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Follows the place of the dock. Called by itself unless QMainWindow::restoreState moves the dock.
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QDockWidget* m_dock;
    QLabel* m_text;
    bool m_isEmpty = false;
};

} // namespace crosswalk::ui
