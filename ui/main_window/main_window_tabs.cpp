// Other tabs and windows.

#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/start_page.h"

#include <QHideEvent>
#include <QMenuBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace crosswalk::ui {

void MainWindow::addTabCommand(const char* name, const QString& text, const QKeySequence& shortcut,
                               std::function<bool(const TabbedWindow&)> isEnabled,
                               std::function<void(TabbedWindow&)> run)
{
    m_commands->add(name, text, shortcut, nullptr, [this, run = std::move(run)] { run(*m_tabs); })
        .enabledIf([this, isEnabled = std::move(isEnabled)] { return m_tabs != nullptr && isEnabled(*m_tabs); });
}

void MainWindow::addTabCommands()
{
    const auto always = [](const TabbedWindow& /*tabs*/) { return true; };
    const auto hasOthers = [](const TabbedWindow& tabs) { return tabs.count() > 1; };
    addTabCommand("fileOpenCollection", tr("Open a folder as a colle&ction\u2026"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), always,
                  [](TabbedWindow& tabs) { tabs.askCollection(); });
    addTabCommand("fileNewTab", tr("New &tab"), QKeySequence(Qt::CTRL | Qt::Key_T), always,
                  [](TabbedWindow& tabs) { tabs.addTab(); });
    addTabCommand("fileNewWindow", tr("&New window"), QKeySequence::New, always,
                  [](TabbedWindow& tabs) { tabs.openWindow(); });
    addTabCommand("fileMoveToWindow", tr("&Move the tab to a new window"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), hasOthers,
                  [](TabbedWindow& tabs) { tabs.moveToWindow(); });
    addTabCommand(
        "fileReopenClosed", tr("Reopen the last closed ta&b"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
        [](const TabbedWindow& tabs) { return tabs.canReopen(); }, [](TabbedWindow& tabs) { tabs.reopenClosed(); });
    addTabCommand("viewNextTab", tr("&Next tab"), QKeySequence(Qt::CTRL | Qt::Key_Tab), hasOthers,
                  [](TabbedWindow& tabs) { tabs.stepTab(1); });
    addTabCommand("viewPreviousTab", tr("&Previous tab"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab), hasOthers,
                  [](TabbedWindow& tabs) { tabs.stepTab(-1); });
    m_commands->add("fileClose", tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), nullptr, [this] { closeModel(); })
        .enabledIf([this] { return m_tabs != nullptr || m_document.isOpen(); });
    m_commands->add("fileQuit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), nullptr, [this] { leave(); });
}

void MainWindow::setTabs(TabbedWindow* tabs)
{
    m_tabs = tabs;
    refreshTabActions();
}

void MainWindow::refreshTabActions()
{
    m_commands->refresh();
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
    if (m_panes->pane(m_panes->activeSide())->closeFront()) {
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
    QWidget* place = m_document.isOpen() ? m_panes->activeCanvas() : static_cast<QWidget*>(m_start);
    place->setFocus();
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    if (m_tabs != nullptr && !event->spontaneous()) {
        m_docks->hideFloating();
    }
}

} // namespace crosswalk::ui
