// Layout of docks and panes: without a model, between runs, and between tabs.

#include "ui/main_window/main_window.h"

#include <QDockWidget>
#include <QResizeEvent>
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

/// The widths of the docks at the sides, and the height of those at the bottom, in a window of this size: a small one
/// gives the graphs the same share as one that is just large enough.
struct DockSizes {
    explicit DockSizes(QSize window)
        : outline(250 * std::min(window.width(), wideEnough) / wideEnough)
        , node(340 * std::min(window.width(), wideEnough) / wideEnough)
        , bottom(200 * std::min(window.height(), highEnough) / highEnough)
    {
    }

    int outline;
    int node;
    int bottom;
};

} // namespace

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    constexpr int barsAndTitles = 150;
    const DockSizes docks(size());
    const QSizeF pane((width() - docks.outline - docks.node) / 2.0, height() - docks.bottom - barsAndTitles);
    m_document.setRoom(pane / detail::readable);
}

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
        const DockSizes sizes(size());
        resizeDocks({m_docks[QStringLiteral("outlineDock")], m_docks[QStringLiteral("nodeDock")]},
                    {sizes.outline, sizes.node}, Qt::Horizontal);
        resizeDocks({m_docks[QStringLiteral("problemsDock")]}, {sizes.bottom}, Qt::Vertical);
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
