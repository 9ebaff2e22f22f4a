#pragma once

#include <QDockWidget>
#include <QHash>
#include <QList>
#include <QTimer>

class QLabel;
class QMainWindow;
class QTabBar;
class QToolButton;

namespace crosswalk::ui {

/// The docks below the graphs, while they are tabs of one another: they collapse together to their tab bar, which also
/// has the note and the buttons of the dock in front.
class BottomArea final : public QObject {
    Q_OBJECT
public:
    BottomArea(QMainWindow& window, QList<QDockWidget*> docks);

    bool isCollapsed() const { return m_collapsed; }
    void setCollapsed(bool collapsed);
    /// Whether the user opened the area: it then stays open although there is nothing to show.
    bool isPinned() const { return m_pinned; }
    void setPinned(bool pinned) { m_pinned = pinned; }
    /// By the user: expanded, it stays open.
    void toggle();
    /// Expands if the dock is part of the area.
    void reveal(const QDockWidget& dock);
    /// Height of the area when it is expanded; 0 if it has not been expanded yet.
    int expandedHeight() const;
    void setExpandedHeight(int height) { m_height = height; }
    void setNote(const QDockWidget& dock, const QString& note);

signals:
    void collapsedChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool contains(const QDockWidget& dock) const;
    void refreshSoon();
    void refresh();
    void restoreHeight();
    void place();
    QTabBar* findTabBar() const;
    QDockWidget* front() const;

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    QHash<const QDockWidget*, QString> m_notes;
    QTabBar* m_tabBar = nullptr; ///< the main window's; null if no docks are tabs
    QWidget* m_corner;           ///< at the right end of the tab bar
    QLabel* m_note;
    QString m_noteText;      ///< shown if there is room for it
    int m_widthWithNote = 0; ///< of the corner
    QToolButton* m_toggle;
    bool m_togglesToExpanded = false; ///< the icon of the button
    bool m_collapsed = false;
    bool m_pinned = false;
    int m_height = 0;
    QTimer m_refreshing;
    QTimer m_restoring;
};

} // namespace crosswalk::ui
