// Menus and shortcuts. Every command is an action with an object name; the palette (Ctrl+K) lists them all.

#include "ui/canvas/canvas_view.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/pane_switch.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/tensor_panel.h"
#include "ui/theme/icons.h"

#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QMenuBar>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>

namespace crosswalk::ui {

QAction* MainWindow::addCommand(const char* name, const QString& text, const QKeySequence& shortcut,
                                const char* iconName, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    if (iconName != nullptr) {
        action->setIcon(icon(QLatin1String(iconName)));
    }
    connect(action, &QAction::triggered, this, std::move(run));
    addAction(action);
    m_actions.insert(QLatin1String(name), action);
    return action;
}

void MainWindow::limitToGraphs(QAction* action)
{
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    removeAction(action);
    m_splitter->addAction(action);
}

void MainWindow::buildActions()
{
    m_menus = menuBar();
    auto* file = m_menus->addMenu(tr("&File"));
    file->addAction(addCommand("fileOpen", tr("&Open\u2026"), QKeySequence::Open, "open", [this] { askOpen(); }));
    file->addAction(addCommand("fileOpenFolder", tr("Open &folder\u2026"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), nullptr, [this] { askOpen(true); }));
    addTabCommand(file, "fileOpenCollection", tr("Open a folder as a colle&ction\u2026"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), [](TabbedWindow& tabs) { tabs.askCollection(); });
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
    connect(file, &QMenu::aboutToShow, this, &MainWindow::refreshRecent); // other tabs open models, too
    addTabCommand(file, "fileNewTab", tr("New &tab"), QKeySequence(Qt::CTRL | Qt::Key_T),
                  [](TabbedWindow& tabs) { tabs.addTab(); });
    addTabCommand(file, "fileNewWindow", tr("&New window"), QKeySequence::New,
                  [](TabbedWindow& tabs) { tabs.openWindow(); });
    addTabCommand(file, "fileMoveToWindow", tr("&Move the tab to a new window"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), [](TabbedWindow& tabs) { tabs.moveToWindow(); });
    addTabCommand(file, "fileReopenClosed", tr("Reopen the last closed ta&b"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), [](TabbedWindow& tabs) { tabs.reopenClosed(); });
    file->addSeparator();
    buildCompareActions(*file);
    file->addAction(addCommand("fileWeights", tr("Choose &weights\u2026"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), nullptr, [this] { askWeights(); }));
    file->addAction(
        addCommand("fileReload", tr("Re&load from disk"), QKeySequence(Qt::Key_F5), nullptr, [this] { reload(); }));
    file->addSeparator();
    file->addAction(addCommand("fileExport", tr("&Export to ONNX\u2026"), QKeySequence(Qt::CTRL | Qt::Key_E), "export",
                               [this] { askExport(); }));
    file->addAction(addCommand("fileCopyExport", tr("Copy the ONN&X file"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), nullptr,
                               [this] { requestExport(true); }));
    file->addAction(addCommand("filePicture", tr("Save a &picture of the graph\u2026"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), nullptr,
                               [this] { askPicture(CanvasView::Part::Whole); }));
    file->addAction(addCommand("filePictureOfSelection", tr("Save a picture of the &selection\u2026"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P), nullptr,
                               [this] { askPicture(CanvasView::Part::Selection); }));
    file->addAction(addCommand("fileReport", tr("Save a &report of the conversion\u2026"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), nullptr, [this] { askReport(); }));
    file->addAction(addCommand("fileLayers", tr("Save the &layers as CSV\u2026"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L), nullptr, [this] { askLayers(); }));
    file->addAction(addCommand("fileTensor", tr("Save a te&nsor\u2026"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
                               nullptr, [this] {
                                   showDock("tensorDock");
                                   m_tensor->askExport();
                               }));
    file->addSeparator();
    file->addAction(
        addCommand("fileClose", tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), nullptr, [this] { closeModel(); }));
    file->addAction(
        addCommand("fileQuit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), nullptr, [this] { leave(); }));

    auto* edit = m_menus->addMenu(tr("&Edit"));
    edit->addAction(
        addCommand("editUndo", tr("&Undo"), QKeySequence::Undo, "undo", [this] { m_document.undoStack()->undo(); }));
    edit->addAction(addCommand("editRedo", tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), "redo",
                               [this] { m_document.undoStack()->redo(); }));
    edit->addSeparator();
    edit->addAction(addCommand("editFind", tr("&Find a node"), QKeySequence::Find, "search", [this] {
        showDock("outlineDock");
        m_outline->focusSearch();
    }));
    buildCopyActions(*edit);
    edit->addAction(addCommand("editCommands", tr("&Run a command\u2026"), QKeySequence(Qt::CTRL | Qt::Key_K),
                               "command", [this] { m_palette->open(); }));

    edit->addSeparator();
    edit->addAction(addCommand("editSettings", tr("&Settings\u2026"), QKeySequence(Qt::CTRL | Qt::Key_Comma), nullptr,
                               [this] { askSettings(); }));

    auto* view = m_menus->addMenu(tr("&View"));
    const auto onCanvas = [this, view](QAction* action) {
        limitToGraphs(action);
        view->addAction(action);
    };
    onCanvas(
        addCommand("viewFit", tr("&Fit the graph"), QKeySequence(Qt::Key_F), "fit", [this] { activeCanvas()->fit(); }));
    onCanvas(addCommand("viewActualSize", tr("&100 %"), QKeySequence(Qt::Key_1), nullptr,
                        [this] { activeCanvas()->zoomToActualSize(); }));
    onCanvas(addCommand("viewZoomToSelection", tr("Zoom to the &selection"), QKeySequence(Qt::Key_Z), nullptr, [this] {
        m_sourcePane->visibleCanvas()->zoomToSelection();
        m_targetPane->visibleCanvas()->zoomToSelection();
    }));
    view->addAction(addCommand("viewZoomIn", tr("Zoom &in"), QKeySequence(Qt::CTRL | Qt::Key_Plus), "zoom-in",
                               [this] { activeCanvas()->zoomIn(); }));
    view->addAction(addCommand("viewZoomOut", tr("Zoom &out"), QKeySequence(Qt::CTRL | Qt::Key_Minus), "zoom-out",
                               [this] { activeCanvas()->zoomOut(); }));
    view->addSeparator();
    onCanvas(addCommand("viewOpenGroup", tr("&Open the selected group"), QKeySequence(Qt::Key_E), nullptr, [this] {
        const auto group = m_document.selectedGroup();
        if (group && pane(m_document.selectedSide())->frontPage() == nullptr) {
            m_document.toggleGroup(m_document.selectedSide(), *group);
        }
    }));
    onCanvas(addCommand("viewCloseGroup", tr("&Close the group around the selection"), QKeySequence(Qt::Key_C), nullptr,
                        [this] { closeGroup(); }));
    onCanvas(addCommand("viewOpenAll", tr("Open &all groups"), QKeySequence(Qt::SHIFT | Qt::Key_E), nullptr, [this] {
        activeCanvas();
        m_document.setAllOpen(m_activeSide, true);
    }));
    onCanvas(addCommand("viewCloseAll", tr("Clos&e all groups"), QKeySequence(Qt::SHIFT | Qt::Key_C), nullptr, [this] {
        activeCanvas();
        m_document.setAllOpen(m_activeSide, false);
    }));
    onCanvas(addCommand("viewBodyTab", tr("Open the &body in a tab"), QKeySequence(Qt::CTRL | Qt::Key_Return), nullptr,
                        [this] { openBodyTab(); }));
    view->addSeparator();
    buildPaneActions(*view);
    view->addSeparator();
    auto* link = addCommand("viewLinkPanes", tr("&Link the panes"), QKeySequence(Qt::CTRL | Qt::Key_L), "link",
                            [this] { follow(m_activeSide); });
    link->setCheckable(true);
    view->addAction(link);
    auto* stack = addCommand("viewStackPanes", tr("S&tack panes"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                             nullptr, [this] { stackPanes(m_splitter->orientation() == Qt::Horizontal); });
    stack->setCheckable(true);
    view->addAction(stack);
    auto* turn = addCommand("viewLeadRight", tr("Left-to-ri&ght layout"), QKeySequence(Qt::Key_R), nullptr, [this] {
        setFlow(m_document.flow() == Flow::Down ? Flow::Right : Flow::Down);
        saveLayout();
    });
    turn->setCheckable(true);
    onCanvas(turn);
    auto* shapes = addCommand("viewEdgeShapes", tr("S&hapes on edges"), QKeySequence(Qt::Key_S), nullptr, [this] {
        showEdgeShapes(!m_edgeShapesShown);
        saveLayout();
    });
    shapes->setCheckable(true);
    shapes->setChecked(m_edgeShapesShown);
    onCanvas(shapes);
    buildColourActions(*view);
    auto* folded = addCommand(
        "viewFolded", tr("Folded nodes in the ou&tline"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_H), nullptr,
        [this] { m_outline->model()->setFoldedShown(m_actions[QStringLiteral("viewFolded")]->isChecked()); });
    folded->setCheckable(true);
    view->addAction(folded);
    auto* maximize = addCommand("viewMaximize", tr("&Maximize the graph"), QKeySequence(Qt::Key_M), nullptr,
                                [this] { toggleMaximized(); });
    maximize->setCheckable(true);
    onCanvas(maximize);
    view->addSeparator();
    addTabCommand(view, "viewNextTab", tr("&Next tab"), QKeySequence(Qt::CTRL | Qt::Key_Tab),
                  [](TabbedWindow& tabs) { tabs.stepTab(1); });
    addTabCommand(view, "viewPreviousTab", tr("&Previous tab"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab),
                  [](TabbedWindow& tabs) { tabs.stepTab(-1); });
    view->addSeparator();
    buildDockActions(*view);
    view->addSeparator();
    auto* themes = new QActionGroup(this);
    const std::tuple<const char*, QString, ThemeChoice, Qt::Key> choices[] = {
        {"themeSystem", tr("Theme: follow the &system"), ThemeChoice::System, Qt::Key_F9},
        {"themeLight", tr("Theme: &light"), ThemeChoice::Light, Qt::Key_F10},
        {"themeDark", tr("Theme: &dark"), ThemeChoice::Dark, Qt::Key_F11}};
    auto* themeMenu = view->addMenu(icon(QLatin1String("theme")), tr("&Theme"));
    for (const auto& [name, text, choice, key] : choices) {
        auto* action = addCommand(name, text, QKeySequence(Qt::CTRL | key), nullptr,
                                  [this, choice = choice] { setTheme(choice); });
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        action->setChecked(choice == themeChoice());
        themes->addAction(action);
        themeMenu->addAction(action);
    }

    buildNavigationActions();

    auto* model = m_menus->addMenu(tr("&Model"));
    buildDifferenceActions(*model);
    model->addAction(addCommand("modelVerify", tr("&Verify against recorded tensors\u2026"),
                                QKeySequence(Qt::CTRL | Qt::Key_R), "verify", [this] { askVerify(); }));
    model->addAction(addCommand("modelVerifyOriginal", tr("Verify against the &original"),
                                QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_V), nullptr,
                                [this] { verifyEquivalence(); }));
    model->addSeparator();
    model->addAction(addCommand("nextProblem", tr("&Next problem"), QKeySequence(Qt::Key_F8), "next-problem", [this] {
        showDock("problemsDock");
        m_problems->step(1);
    }));
    model->addAction(addCommand("previousProblem", tr("&Previous problem"), QKeySequence(Qt::SHIFT | Qt::Key_F8),
                                "previous-problem", [this] {
                                    showDock("problemsDock");
                                    m_problems->step(-1);
                                }));
    model->addSeparator();
    buildEditActions(*model);
    auto* opsets = model->addMenu(tr("&Opset"));
    opsets->setObjectName(QStringLiteral("opsetMenu"));
    m_opsets = new QActionGroup(this);
    for (int opset = oldestOpset; opset <= newestOpset; ++opset) {
        auto* action =
            opsets->addAction(opset == defaultOpset ? tr("Opset %1 (default)").arg(opset) : tr("Opset %1").arg(opset));
        action->setObjectName(QStringLiteral("opset%1").arg(opset));
        action->setCheckable(true);
        action->setData(opset);
        // Ctrl+P followed by the number: there are more opsets than keys.
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+P, %1, %2").arg(opset / 10).arg(opset % 10)));
        m_opsets->addAction(action);
        connect(action, &QAction::triggered, this, [this, opset] { m_document.setOpset(opset); });
    }

    buildOptionActions(model);

    auto* help = m_menus->addMenu(tr("&Help"));
    help->addAction(addCommand("helpShortcuts", tr("&Keys and mouse"), QKeySequence(Qt::Key_F1), nullptr,
                               [this] { showShortcuts(); }));
    help->addAction(addCommand("helpAbout", tr("&About Crosswalk"), QKeySequence(Qt::SHIFT | Qt::Key_F1), nullptr,
                               [this] { showAbout(); }));

    model->addSeparator();
    model->addAction(addCommand("workCancel", tr("&Cancel the running task"), QKeySequence(Qt::CTRL | Qt::Key_Period),
                                "close", [this] { m_document.cancel(); }));
    refreshRecent();
}

QList<QAction*> MainWindow::commands() const
{
    QList<QAction*> all = m_actions.values() + m_opsets->actions();
    std::sort(all.begin(), all.end(), [](const QAction* a, const QAction* b) { return a->text() < b->text(); });
    return all;
}

CanvasView* MainWindow::activeCanvas()
{
    if (m_targetPane->visibleCanvas()->hasFocus()) {
        m_activeSide = Side::Target;
    } else if (m_sourcePane->visibleCanvas()->hasFocus()) {
        m_activeSide = Side::Source;
    }
    return pane(m_activeSide)->visibleCanvas();
}

void MainWindow::refreshActions()
{
    const bool isOpen = m_document.isOpen();
    const QString obstacle = m_document.exportObstacle();
    const int gaps = m_document.gapCount();
    const auto enable = [this](const char* name, bool enabled) { m_actions[QLatin1String(name)]->setEnabled(enabled); };
    for (const auto* name :
         {"fileWeights", "fileReload", "editFind", "viewFit", "viewActualSize", "viewZoomIn", "viewZoomOut"}) {
        enable(name, isOpen);
    }
    refreshTabActions();
    refreshDockActions();
    enable("filePicture", isOpen);
    enable("filePictureOfSelection", !m_document.selection().empty());
    enable("fileReport", m_document.converted() != nullptr && m_document.compared() == nullptr);
    enable("fileLayers", m_document.converted() != nullptr);
    enable("fileExport", obstacle.isEmpty());
    enable("modelVerify", obstacle.isEmpty() && gaps == 0);
    enable("modelVerifyOriginal", m_document.isOnnx() && obstacle.isEmpty() && gaps == 0);
    refreshColourActions();
    enable("editUndo", m_document.undoStack()->canUndo() && m_document.compared() == nullptr);
    enable("editRedo", m_document.undoStack()->canRedo() && m_document.compared() == nullptr);
    refreshNavigationActions();
    enable("viewZoomToSelection", !m_document.selection().empty());
    const auto hasGroups = [this](Side side) {
        return m_document.side(side) && !m_document.side(side)->groups->groups.empty();
    };
    enable("viewOpenAll", hasGroups(Side::Source) || hasGroups(Side::Target));
    enable("viewCloseAll", hasGroups(Side::Source) || hasGroups(Side::Target));
    enable("viewOpenGroup", m_document.selectedGroup().has_value());
    enable("viewCloseGroup", m_document.groupAroundSelection().has_value());
    enable("viewBodyTab", selectedBody().has_value());
    enable("viewLinkPanes",
           m_document.side(Side::Target) != nullptr && m_paneSwitch->shown() == PaneSwitch::Panes::Both);
    for (const auto* name : {"viewSourcePane", "viewBothPanes", "viewOnnxPane"}) {
        enable(name, isOpen);
        auto* action = m_actions[QLatin1String(name)];
        action->setChecked(action->data().toInt() == static_cast<int>(m_paneSwitch->shown()));
    }
    enable("nextProblem", !m_document.problems().empty());
    enable("previousProblem", !m_document.problems().empty());
    enable("workCancel", !m_document.isIdle());
    m_actions[QStringLiteral("editUndo")]->setText(tr("&Undo %1").arg(m_document.undoStack()->undoText()).trimmed());
    m_actions[QStringLiteral("editRedo")]->setText(tr("&Redo %1").arg(m_document.undoStack()->redoText()).trimmed());
    refreshOptionActions();
    m_opsets->setEnabled(isOpen && m_document.compared() == nullptr);
    refreshCompareActions();
    refreshEditActions();
    refreshDragHandle();
    const int inForce = m_document.converted() ? m_document.converted()->conversion.opset : defaultOpset;
    for (auto* action : m_opsets->actions()) {
        action->setChecked(action->data().toInt() == m_document.options().opset.value_or(inForce));
    }
    if (m_exportButton != nullptr) {
        const bool differs = obstacle.isEmpty() && m_document.check() && !m_document.check()->outputs.equal();
        m_exportButton->setEnabled(obstacle.isEmpty());
        m_exportButton->setText(
            gaps == 0 || !obstacle.isEmpty()
                ? differs ? tr("Export despite differences") : tr("Export to ONNX")
                : counted(gaps, tr("Export with 1 gap\u2026"), tr("Export with %Ln gaps\u2026", nullptr, gaps)));
        m_exportButton->setAccessibleName(m_exportButton->text());
        m_exportButton->setToolTip(!obstacle.isEmpty() ? obstacle
                                   : differs
                                       ? tr("The check found other results: see the problems. Write the model (Ctrl+E)")
                                       : tr("Check the ONNX model and write it (Ctrl+E)"));
        m_exportButton->setIcon(icon(QLatin1String(differs ? "warning" : "export"),
                                     obstacle.isEmpty() ? IconTint::OnAccent : IconTint::Text));
    }
}

void MainWindow::refreshRecent()
{
    if (m_recentMenu == nullptr) {
        return;
    }
    m_recentMenu->clear();
    for (const auto& path : m_recent.paths()) {
        auto* action = m_recentMenu->addAction(QDir::toNativeSeparators(path));
        connect(action, &QAction::triggered, this, [this, path] { openAnother(path); });
    }
    if (!m_recentMenu->isEmpty()) {
        m_recentMenu->addSeparator();
        connect(m_recentMenu->addAction(tr("Clear the list")), &QAction::triggered, &m_recent, &RecentFiles::clear);
    }
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
}

void MainWindow::setTheme(ThemeChoice choice)
{
    applyTheme(choice);
    if (m_settings) {
        m_settings->setValue(QStringLiteral("theme"), static_cast<int>(choice));
    }
}

} // namespace crosswalk::ui
