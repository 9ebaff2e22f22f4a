// Layout of docks and panes: without a model, between runs, and between tabs.

#include "ui/main_window/bottom_area.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/banner.h"

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

constexpr int layoutVersion = 4;
constexpr int wideEnough = 1280; ///< pixels
constexpr int highEnough = 800;

/// The widths of the docks at the sides, and the height of those at the bottom, in a window of this size: a small one
/// gives the graphs the same share as one that is just large enough, and of a larger one they get most.
struct DockSizes {
    explicit DockSizes(QSize window)
        : outline(250 * std::min(window.width(), wideEnough) / wideEnough +
                  std::max(0, window.width() - wideEnough) / 16)
        , node(340 * std::min(window.width(), wideEnough) / wideEnough + std::max(0, window.width() - wideEnough) / 10)
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
    constexpr int aroundPanes = 190; // bars, titles, and the tabs of the panels below the graphs
    const DockSizes docks(size());
    const QSizeF pane((width() - docks.outline - docks.node) / 2.0, height() - aroundPanes);
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
    m_banner->setAtBottom(open); // the inputs are at the top
    if (!open) {
        m_layout = layoutOfDocks();
        m_beforeMaximizing.clear();
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
        m_bottom->setExpandedHeight(sizes.bottom);
        resizeDocks({m_docks[QStringLiteral("problemsDock")]}, {sizes.bottom}, Qt::Vertical);
        m_docks[QStringLiteral("problemsDock")]->raise();
    }
}

QByteArray MainWindow::layoutOfDocks() const
{
    return m_beforeMaximizing.isEmpty() ? saveState(layoutVersion) : m_beforeMaximizing;
}

void MainWindow::toggleMaximized()
{
    if (!m_document.isOpen()) {
        return;
    }
    if (m_beforeMaximizing.isEmpty()) {
        m_beforeMaximizing = saveState(layoutVersion);
        for (auto* dock : std::as_const(m_docks)) {
            dock->hide();
        }
        activeCanvas()->setFocus(Qt::ShortcutFocusReason);
    } else {
        restoreState(std::exchange(m_beforeMaximizing, {}), layoutVersion);
    }
    m_actions[QStringLiteral("viewMaximize")]->setChecked(!m_beforeMaximizing.isEmpty());
}

void MainWindow::arrangeBottom()
{
    const auto& problems = m_document.problems();
    const bool hasProblems = std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.severity != Severity::Note || !problem.choices.empty();
    });
    m_bottom->setCollapsed(!hasProblems && m_document.compared() == nullptr && !m_bottom->isPinned());
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
        m_bottom->setExpandedHeight(m_settings->value(QStringLiteral("window/bottomHeight")).toInt());
        m_bottom->setPinned(m_settings->value(QStringLiteral("window/bottomPinned")).toBool());
        setFlow(m_settings->value(QStringLiteral("window/leadsRight")).toBool() ? Flow::Right : Flow::Down);
        showEdgeShapes(m_settings->value(QStringLiteral("window/edgeShapes"), true).toBool());
    }
}

void MainWindow::saveLayout()
{
    if (m_settings && m_document.isOpen()) {
        m_settings->setValue(QStringLiteral("window/state"), layoutOfDocks());
        m_settings->setValue(QStringLiteral("window/bottomHeight"), m_bottom->expandedHeight());
        m_settings->setValue(QStringLiteral("window/bottomPinned"), m_bottom->isPinned());
        m_settings->setValue(QStringLiteral("window/panes"), m_splitter->saveState());
        m_settings->setValue(QStringLiteral("window/leadsRight"), m_document.flow() == Flow::Right);
        m_settings->setValue(QStringLiteral("window/edgeShapes"), m_edgeShapesShown);
    }
}

void MainWindow::takeLayout(const MainWindow& other)
{
    const auto state = other.layoutOfDocks();
    m_bottom->setExpandedHeight(other.m_bottom->expandedHeight());
    m_bottom->setPinned(other.m_bottom->isPinned());
    if (state != saveState(layoutVersion)) {
        restoreState(state, layoutVersion);
    }
    m_splitter->restoreState(other.m_splitter->saveState());
    setFlow(other.m_document.flow());
    showEdgeShapes(other.m_edgeShapesShown);
}

} // namespace crosswalk::ui
