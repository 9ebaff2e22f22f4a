// Layout of docks and panes: without a model, between runs, and between tabs.

#include "ui/main_window/main_window.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int layoutVersion = 2;
constexpr int wideEnough = 1280; ///< pixels
constexpr int highEnough = 800;

} // namespace

void MainWindow::showWorkspace(bool open)
{
    // Without a model, the window shows one simple page: the docks are hidden and later restored.
    if (open == m_workspaceShown) {
        return;
    }
    m_workspaceShown = open;
    m_stack->setCurrentWidget(open ? static_cast<QWidget*>(m_splitter) : m_startArea);
    if (!open) {
        m_layout = saveState(layoutVersion);
        for (auto* dock : std::as_const(m_docks)) {
            dock->hide();
        }
    } else if (!restoreState(m_layout, layoutVersion)) {
        for (auto* dock : std::as_const(m_docks)) {
            dock->show();
        }
        // A small window gives the graphs the same share as one that is just large enough.
        const int across = std::min(width(), wideEnough);
        const int down = std::min(height(), highEnough);
        resizeDocks({m_docks[QStringLiteral("outlineDock")], m_docks[QStringLiteral("nodeDock")]},
                    {250 * across / wideEnough, 340 * across / wideEnough}, Qt::Horizontal);
        resizeDocks({m_docks[QStringLiteral("problemsDock")]}, {200 * down / highEnough}, Qt::Vertical);
        m_docks[QStringLiteral("problemsDock")]->raise();
    }
}

void MainWindow::restoreLayout()
{
    m_stack->setCurrentWidget(m_startArea);
    for (auto* dock : std::as_const(m_docks)) {
        dock->hide();
    }
    if (m_settings) {
        m_layout = m_settings->value(QStringLiteral("window/state")).toByteArray();
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
