// Layout of the docks: without a model, between runs, and between tabs.

#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/document/document.h"
#include "ui/main_window/bottom_area.h"
#include "ui/main_window/dock_title.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>

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

void DockController::showWorkspace(bool open)
{
    if (open == m_workspaceShown) {
        return;
    }
    m_workspaceShown = open;
    if (!open) {
        m_layout = layout();
        m_beforeMaximizing.clear();
        for (auto* dock : std::as_const(m_docks)) {
            dock->hide();
        }
    } else if (!m_window.restoreState(m_layout, layoutVersion)) {
        for (auto* dock : std::as_const(m_docks)) {
            dock->show();
        }
        fitWidths();
        const DockSizes sizes(m_window.size());
        m_bottom->setExpandedHeight(sizes.bottom);
        m_window.resizeDocks({m_docks[QStringLiteral("problemsDock")]}, {sizes.bottom}, Qt::Vertical);
        m_docks[QStringLiteral("problemsDock")]->raise();
    } else {
        m_isFitting = true;
        emit fitted();
    }
}

void DockController::fitWidths()
{
    const DockSizes sizes(m_window.size());
    m_isFitting = m_followsWindow = true;
    m_window.resizeDocks({m_docks[QStringLiteral("outlineDock")], m_docks[QStringLiteral("nodeDock")]},
                         {sizes.outline, sizes.node}, Qt::Horizontal);
    // The docks get their widths with the next layout.
    emit fitted();
}

std::pair<int, int> DockController::widths() const
{
    return {m_docks[QStringLiteral("outlineDock")]->width(), m_docks[QStringLiteral("nodeDock")]->width()};
}

void DockController::noteWidths()
{
    m_isFitting = false;
    m_fitted = widths();
    m_fittedIn = m_window.size();
    // Restored widths follow the window if they are those for its size.
    const DockSizes sizes(m_fittedIn);
    m_followsWindow = m_followsWindow || m_fitted == std::pair(sizes.outline, sizes.node);
}

/// The docks follow the width of the window until the user drags one of them. A window that shrinks narrows them before
/// it gets its event.
bool DockController::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_workspaceShown && m_beforeMaximizing.isEmpty()) {
        if (watched != &m_window) {
            m_followsWindow = m_isFitting || m_window.size() != m_fittedIn ? m_followsWindow : m_fitted == widths();
        } else if (m_followsWindow) {
            m_isFitting = true;
            emit resized();
        }
    }
    return Controller::eventFilter(watched, event);
}

QByteArray DockController::layout() const
{
    return m_beforeMaximizing.isEmpty() ? m_window.saveState(layoutVersion) : m_beforeMaximizing;
}

void DockController::toggleMaximized()
{
    if (!m_document.isOpen()) {
        return;
    }
    if (m_beforeMaximizing.isEmpty()) {
        m_beforeMaximizing = m_window.saveState(layoutVersion);
        for (auto* dock : std::as_const(m_docks)) {
            dock->hide();
        }
        m_panes.activeCanvas()->setFocus(Qt::ShortcutFocusReason);
    } else {
        m_window.restoreState(std::exchange(m_beforeMaximizing, {}), layoutVersion);
        for (const auto* dock : std::as_const(m_docks)) {
            static_cast<DockTitle*>(dock->titleBarWidget())->refresh();
        }
    }
    m_commands["viewMaximize"]->setChecked(!m_beforeMaximizing.isEmpty());
}

void DockController::arrangeBottom()
{
    const auto& problems = m_document.problems();
    const bool hasProblems = std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.severity != Severity::Note || !problem.choices.empty();
    });
    m_bottom->setCollapsed(!hasProblems && m_document.compared() == nullptr && !m_bottom->isPinned());
}

void DockController::restoreSettings()
{
    for (auto* dock : std::as_const(m_docks)) {
        dock->hide();
    }
    if (m_settings != nullptr) {
        m_layout = m_settings->value(QStringLiteral("window/state")).toByteArray();
        m_bottom->setExpandedHeight(m_settings->value(QStringLiteral("window/bottomHeight")).toInt());
        m_bottom->setPinned(m_settings->value(QStringLiteral("window/bottomPinned")).toBool());
    }
}

void DockController::saveSettings() const
{
    m_settings->setValue(QStringLiteral("window/state"), layout());
    m_settings->setValue(QStringLiteral("window/bottomHeight"), m_bottom->expandedHeight());
    m_settings->setValue(QStringLiteral("window/bottomPinned"), m_bottom->isPinned());
}

void DockController::takeLayout(const DockController& other)
{
    const auto state = other.layout();
    m_bottom->setExpandedHeight(other.m_bottom->expandedHeight());
    m_bottom->setPinned(other.m_bottom->isPinned());
    if (state != m_window.saveState(layoutVersion)) {
        m_window.restoreState(state, layoutVersion);
    }
}

QSizeF DockController::paneSize(QSize window)
{
    constexpr int aroundPanes = 190; // bars, titles, and the tabs of the panels below the graphs
    const DockSizes docks(window);
    return {(window.width() - docks.outline - docks.node) / 2.0, static_cast<double>(window.height() - aroundPanes)};
}

void DockController::hideFloating()
{
    for (auto* dock : std::as_const(m_docks)) {
        if (dock->isFloating() && dock->isVisible()) {
            m_floating.append(dock);
            dock->hide();
        }
    }
}

void DockController::showFloating()
{
    for (auto* dock : std::exchange(m_floating, {})) {
        dock->show();
    }
}

} // namespace crosswalk::ui
