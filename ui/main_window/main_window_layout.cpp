// Where docks and panes stand: with nothing open, from one run to the next, from one tab to another.

#include "ui/main_window/main_window.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>

#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int layoutVersion = 2;

} // namespace

void MainWindow::showWorkspace(bool open)
{
    // With nothing open there is one calm page: the docks go, and come back as they were.
    m_stack->setCurrentWidget(open ? static_cast<QWidget*>(m_splitter) : m_startArea);
    if (open) {
        for (auto* dock : std::exchange(m_waitingDocks, {})) {
            dock->show();
        }
        if (!std::exchange(m_docksSized, true)) {
            resizeDocks({m_docks[QStringLiteral("outlineDock")], m_docks[QStringLiteral("nodeDock")]}, {250, 340},
                        Qt::Horizontal);
            resizeDocks({m_docks[QStringLiteral("problemsDock")]}, {200}, Qt::Vertical);
            m_docks[QStringLiteral("problemsDock")]->raise();
        }
    } else {
        for (auto* dock : std::as_const(m_docks)) {
            if (!dock->isHidden()) {
                m_waitingDocks.append(dock);
                dock->hide();
            }
        }
    }
}

void MainWindow::restoreLayout()
{
    if (m_settings) {
        m_docksSized = restoreState(m_settings->value(QStringLiteral("window/state")).toByteArray(), layoutVersion);
        m_splitter->restoreState(m_settings->value(QStringLiteral("window/panes")).toByteArray());
        setFlow(m_settings->value(QStringLiteral("window/leadsRight")).toBool() ? Flow::Right : Flow::Down);
    }
}

void MainWindow::saveLayout()
{
    if (m_settings && m_document.isOpen()) {
        m_settings->setValue(QStringLiteral("window/state"), saveState(layoutVersion));
        m_settings->setValue(QStringLiteral("window/panes"), m_splitter->saveState());
        m_settings->setValue(QStringLiteral("window/leadsRight"), m_document.flow() == Flow::Right);
    }
}

void MainWindow::takeLayout(const MainWindow& other)
{
    const auto state = other.saveState(layoutVersion);
    if (state != saveState(layoutVersion)) {
        restoreState(state, layoutVersion);
    }
    m_splitter->restoreState(other.m_splitter->saveState());
    setFlow(other.m_document.flow());
}

} // namespace crosswalk::ui
