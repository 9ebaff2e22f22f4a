// Keyboard control of docks and panes: show, hide, step through.

#include "ui/main_window/bottom_area.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/properties_panel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr std::array docksInOrder = {"outlineDock", "nodeDock",   "problemsDock", "inputsDock",
                                     "summaryDock", "tensorDock", "layersDock"};
constexpr int maxStops = 1000; ///< limit for Tab stops, in case the focus chain has no visible end

/// Whether a dock is visible and not behind another tab.
bool isSeen(const QWidget& widget)
{
    return widget.isVisible() && !widget.visibleRegion().isEmpty();
}

/// Focuses the list of a panel, if there is one, with its current row visible.
void focusInto(QWidget& panel)
{
    const auto views = panel.findChildren<QAbstractItemView*>();
    const auto list = std::find_if(views.begin(), views.end(), [](const auto* view) { return view->isVisible(); });
    if (list == views.end()) {
        panel.setFocus(Qt::ShortcutFocusReason);
        return;
    }
    (*list)->setFocus(Qt::ShortcutFocusReason);
    if (!(*list)->selectionModel()->hasSelection()) {
        const QModelIndex current = (*list)->currentIndex();
        (*list)->setCurrentIndex(current.isValid() ? current : (*list)->model()->index(0, 0));
    }
}

} // namespace

void MainWindow::buildDockActions(QMenu& view)
{
    int key = Qt::Key_1;
    for (const auto* name : docksInOrder) {
        auto* dock = m_docks[QLatin1String(name)];
        auto* action =
            addCommand((QByteArray(name) + "Toggle").constData(), dock->windowTitle(),
                       QKeySequence(Qt::ALT | static_cast<Qt::Key>(key++)), nullptr, [this, dock] { callDock(*dock); });
        action->setCheckable(true);
        view.addAction(action);
        connect(dock->toggleViewAction(), &QAction::changed, action, [action, dock] {
            action->setChecked(dock->toggleViewAction()->isChecked());
            action->setText(dock->toggleViewAction()->text());
        });
    }
    auto* bottom = addCommand("viewBottom", tr("Panels belo&w the graphs"), QKeySequence(Qt::CTRL | Qt::Key_J), nullptr,
                              [this] { m_bottom->toggle(); });
    bottom->setCheckable(true);
    view.addAction(bottom);
    view.addAction(
        addCommand("viewNextPane", tr("Ne&xt pane"), QKeySequence(Qt::Key_F6), nullptr, [this] { stepPane(1); }));
    view.addAction(addCommand("viewPreviousPane", tr("Pre&vious pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6), nullptr,
                              [this] { stepPane(-1); }));
}

void MainWindow::refreshDockActions()
{
    for (const auto* name : docksInOrder) {
        m_actions[QLatin1String(name) + QStringLiteral("Toggle")]->setEnabled(m_document.isOpen());
    }
    for (const auto* name : {"viewNextPane", "viewPreviousPane", "viewBottom", "viewMaximize"}) {
        m_actions[QLatin1String(name)]->setEnabled(m_document.isOpen());
    }
}

void MainWindow::showDock(const char* name)
{
    m_docks[QLatin1String(name)]->show();
    m_docks[QLatin1String(name)]->raise();
    m_bottom->reveal(*m_docks[QLatin1String(name)]);
}

void MainWindow::callDock(QDockWidget& dock)
{
    // A click in a menu leaves the focus unchanged.
    const bool hasFocus = dock.isAncestorOf(dock.isFloating() ? QApplication::focusWidget() : focusWidget());
    if (isSeen(dock) && hasFocus) {
        dock.close();
        activeCanvas()->setFocus(Qt::ShortcutFocusReason);
    } else {
        dock.show();
        dock.raise();
        m_bottom->setPinned(m_bottom->isPinned() || m_bottom->isCollapsed());
        m_bottom->reveal(dock);
        focusDock(dock);
    }
    // A click toggles the check mark, but may not change the visibility.
    auto* action = m_actions[dock.objectName() + QStringLiteral("Toggle")];
    action->setChecked(dock.toggleViewAction()->isChecked());
}

void MainWindow::focusDock(QDockWidget& dock)
{
    if (dock.isFloating()) {
        dock.activateWindow();
    }
    if (dock.widget() == m_properties) {
        m_properties->takeFocus();
    } else {
        focusInto(*dock.widget());
    }
}

bool MainWindow::isUncovered(const char* name) const
{
    const auto* dock = m_docks[QLatin1String(name)];
    return dock->isFloating() ? dock->isVisible() : !m_bottom->isCollapsed() && !dock->visibleRegion().isEmpty();
}

void MainWindow::focusDetails()
{
    showDock("nodeDock");
    m_properties->takeFocus();
}

void MainWindow::stepPane(int direction)
{
    QList<QWidget*> places{m_docks[QLatin1String(docksInOrder.front())], m_sourcePane, m_targetPane};
    for (const auto* name : docksInOrder) {
        if (auto* dock = m_docks[QLatin1String(name)]; !places.contains(dock)) {
            places.append(dock);
        }
    }
    places.removeIf([](const QWidget* place) { return !isSeen(*place); });
    const auto* focus = QApplication::focusWidget();
    const auto here =
        std::find_if(places.begin(), places.end(), [focus](const auto* place) { return place->isAncestorOf(focus); });
    const auto count = places.size();
    const auto next =
        here == places.end() ? (direction > 0 ? 0 : count - 1) : (here - places.begin() + direction + count) % count;
    if (auto* dock = qobject_cast<QDockWidget*>(places[next])) {
        focusDock(*dock);
    } else {
        static_cast<GraphPane*>(places[next])->visibleCanvas()->setFocus(Qt::ShortcutFocusReason);
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    // No widget on the way accepted the focus: return to the graph.
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && m_document.isOpen()) {
        activeCanvas()->setFocus(Qt::ShortcutFocusReason);
        if (m_filter) {
            m_document.select(m_document.selectedSide(), {});
        }
        return;
    }
    QMainWindow::keyPressEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next)
{
    // Docks behind other tabs count as visible in Qt.
    for (int i = 0; i < maxStops; ++i) {
        if (!QMainWindow::focusNextPrevChild(next)) {
            return false;
        }
        const auto* focus = QApplication::focusWidget();
        const bool isBehind = std::any_of(m_docks.begin(), m_docks.end(), [focus](const auto* dock) {
            return dock->isAncestorOf(focus) && !isSeen(*dock);
        });
        if (!isBehind) {
            break;
        }
    }
    return true;
}

} // namespace crosswalk::ui
