// Other tabs and windows.

#include "ui/main_window/main_window.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/start_page.h"

#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QShowEvent>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace crosswalk::ui {

void MainWindow::addTabCommand(QMenu* menu, const char* name, const QString& text, const QKeySequence& shortcut,
                               std::function<void(TabbedWindow&)> run)
{
    menu->addAction(addCommand(name, text, shortcut, nullptr, [this, run = std::move(run)] { run(*m_tabs); }));
}

void MainWindow::setTabs(TabbedWindow* tabs)
{
    m_tabs = tabs;
    refreshTabActions();
}

void MainWindow::refreshTabActions()
{
    const auto enable = [this](const char* name, bool enabled) { m_actions[QLatin1String(name)]->setEnabled(enabled); };
    const bool hasOthers = m_tabs != nullptr && m_tabs->count() > 1;
    enable("fileNewTab", m_tabs != nullptr);
    enable("fileOpenCollection", m_tabs != nullptr);
    enable("fileNewWindow", m_tabs != nullptr);
    enable("fileReopenClosed", m_tabs != nullptr && m_tabs->canReopen());
    enable("fileMoveToWindow", hasOthers);
    enable("viewNextTab", hasOthers);
    enable("viewPreviousTab", hasOthers);
    enable("fileClose", m_tabs != nullptr || m_document.isOpen());
}

void MainWindow::moveBars(QVBoxLayout* place)
{
    removeToolBar(m_tools);
    place->addWidget(m_menus);
    place->addWidget(m_tools);
    m_tools->show();
}

void MainWindow::openAnother(const QString& path, const QString& weights)
{
    if (m_tabs != nullptr) {
        m_tabs->openModel(path, weights);
    } else {
        m_document.open(path.toStdString(), weights.toStdString(), m_preferences.startingOptions());
    }
}

void MainWindow::closeModel()
{
    activeCanvas();
    if (pane(m_activeSide)->closeFront()) {
        return; // a body in a tab of the active pane
    }
    if (m_tabs != nullptr) {
        m_tabs->closeCurrent();
    } else {
        m_document.close();
    }
}

void MainWindow::leave()
{
    if (m_tabs != nullptr) {
        m_tabs->quit();
    } else {
        close();
    }
}

void MainWindow::takeFocus()
{
    QWidget* place = m_document.isOpen() ? activeCanvas() : static_cast<QWidget*>(m_start);
    place->setFocus();
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    // Floating docks are separate windows, which Qt does not hide with their tab.
    if (m_tabs != nullptr && !event->spontaneous()) {
        for (auto* dock : std::as_const(m_docks)) {
            if (dock->isFloating() && dock->isVisible()) {
                m_floatingDocks.append(dock);
                dock->hide();
            }
        }
    }
}

void MainWindow::showFloatingDocks()
{
    for (auto* dock : std::exchange(m_floatingDocks, {})) {
        dock->show();
    }
}

} // namespace crosswalk::ui
