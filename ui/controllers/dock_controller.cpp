#include "ui/controllers/dock_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/main_window/bottom_area.h"
#include "ui/main_window/dock_title.h"
#include "ui/models/node_details.h"
#include "ui/models/problems_model.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/details_view.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/inputs_panel.h"
#include "ui/panels/layers_panel.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/tensor_panel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QSplitter>

#include <algorithm>
#include <vector>

namespace crosswalk::ui {

namespace {

constexpr std::array docksInOrder = {"outlineDock", "nodeDock",   "problemsDock", "inputsDock",
                                     "summaryDock", "tensorDock", "layersDock"};

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

DockController::DockController(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_panes(panes)
{
    buildDocks();
    connectPanels();
    addCommands();
    m_window.installEventFilter(this);
    m_docks[QStringLiteral("outlineDock")]->installEventFilter(this);
    m_docks[QStringLiteral("nodeDock")]->installEventFilter(this);
    connect(this, &DockController::resized, this, &DockController::fitWidths, Qt::QueuedConnection);
    connect(this, &DockController::fitted, this, &DockController::noteWidths, Qt::QueuedConnection);
    connect(&m_document, &Document::opened, this, [this] { m_newlyOpened = m_document.isOpen(); });
    connect(&m_document, &Document::conversionChanged, this, [this] {
        m_summary->setSections(modelSummary(m_document));
        refreshNotes();
        if (m_newlyOpened && m_document.converted()) {
            m_newlyOpened = false;
            arrangeBottom();
            if (m_document.converted()->conversion.hasErrors()) {
                show("problemsDock");
                m_problems->step(1);
            }
        }
    });
    connect(&m_document, &Document::problemsChanged, this, &DockController::refreshNotes);
}

QDockWidget* DockController::addDock(const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(QLatin1String(name));
    dock->setAccessibleName(title);
    dock->setWidget(content);
    dock->setTitleBarWidget(new DockTitle(dock));
    content->setAttribute(Qt::WA_StyledBackground);
    m_window.addDockWidget(area, dock);
    m_docks.insert(dock->objectName(), dock);
    return dock;
}

void DockController::buildDocks()
{
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_outline = new OutlinePanel(m_document, m_document.selection(), &m_window);
    m_properties = new PropertiesPanel(m_document, m_document.selection(), m_document.strategyComparison(), &m_window);
    m_problems = new ProblemsPanel(m_document, m_document.selection(), &m_window);
    m_inputs = new InputsPanel(m_document, &m_window);
    m_summary = new DetailsView(&m_window);
    m_summary->setObjectName(QStringLiteral("summaryTree"));
    m_summary->setAccessibleName(tr("Summary of the model"));
    m_tensor = new TensorPanel(m_document, &m_window);
    m_layers = new LayersPanel(m_document, m_document.selection(), &m_window);
    addDock("outlineDock", tr("Outline"), m_outline, Qt::LeftDockWidgetArea);
    addDock("nodeDock", tr("Node"), m_properties, Qt::RightDockWidgetArea);
    auto* problems = addDock("problemsDock", tr("Problems"), m_problems, Qt::BottomDockWidgetArea);
    auto* inputs = addDock("inputsDock", tr("Inputs"), m_inputs, Qt::BottomDockWidgetArea);
    auto* summary = addDock("summaryDock", tr("Summary"), m_summary, Qt::BottomDockWidgetArea);
    m_window.tabifyDockWidget(problems, inputs);
    auto* tensor = addDock("tensorDock", tr("Tensor"), m_tensor, Qt::BottomDockWidgetArea);
    m_window.tabifyDockWidget(inputs, summary);
    auto* layers = addDock("layersDock", tr("Layers"), m_layers, Qt::BottomDockWidgetArea);
    m_window.tabifyDockWidget(summary, tensor);
    m_window.tabifyDockWidget(tensor, layers);
    problems->raise();
    m_bottom = new BottomArea(m_window, {problems, inputs, summary, tensor, layers});
    m_bottom->setCollapsed(true);
    connect(m_bottom, &BottomArea::collapsedChanged, this,
            [this] { m_commands["viewBottom"]->setChecked(!m_bottom->isCollapsed()); });
    // Qt reports no change of visibility when the area expands again.
    connect(m_bottom, &BottomArea::collapsedChanged, this, &DockController::refreshVisibility, Qt::QueuedConnection);
    connect(tensor, &QDockWidget::visibilityChanged, m_tensor, &TensorPanel::setSeen);
    connect(layers, &QDockWidget::visibilityChanged, m_layers, &LayersPanel::setSeen);
}

void DockController::refreshVisibility()
{
    m_tensor->setSeen(isUncovered("tensorDock"));
    m_layers->setSeen(isUncovered("layersDock"));
}

void DockController::connectPanels()
{
    const auto revealSelection = [this] { m_panes.revealSelection(); };
    connect(m_outline, &OutlinePanel::activated, this, revealSelection);
    connect(m_properties, &PropertiesPanel::activated, this, revealSelection);
    connect(m_layers, &LayersPanel::activated, this, revealSelection);
    connect(m_problems, &ProblemsPanel::activated, this, revealSelection);
    connect(m_properties, &PropertiesPanel::strategyPicked, &m_document, &Document::setStrategy);
    connect(m_problems, &ProblemsPanel::strategyPicked, &m_document, &Document::setStrategy);
    connect(m_inputs, &InputsPanel::shapeEdited, &m_document, &Document::setInputShape);
    connect(m_inputs, &InputsPanel::typeEdited, &m_document, &Document::setInputType);
    connect(m_inputs, &InputsPanel::presetChosen, &m_document, &Document::applyPreset);
    connect(m_properties, &PropertiesPanel::tensorActivated, this, [this](ValueId value) {
        show("tensorDock");
        m_tensor->showTensor(value);
    });
    connect(m_layers, &LayersPanel::saveAsked, this, &DockController::saveLayersRequested);
    connect(m_problems, &ProblemsPanel::weightsAsked, this, &DockController::weightsRequested);
    connect(m_problems, &ProblemsPanel::shapesAsked, this, &DockController::askShapes);
    connect(m_tensor, &TensorPanel::exported, this, [this](const QString& path) {
        m_messages.banner().clear(QStringLiteral("tensor"));
        m_messages.show(tr("Saved %1").arg(path));
    });
    connect(m_tensor, &TensorPanel::exportFailed, this, [this](const QString& problem) {
        m_messages.banner().show(QStringLiteral("tensor"), Severity::Error,
                                 tr("The tensor was not saved: %1.").arg(problem));
    });
    connect(m_tensor, &TensorPanel::copyRefused, this, [this](const QString& why) { m_messages.show(why); });
    connect(m_tensor, &TensorPanel::internalErrorOccurred, &m_messages, &Messages::reportInternalError);
    connect(m_summary, &DetailsView::boxActivated, this, [this](std::uint32_t box) {
        m_document.selection().select(Side::Source, {box});
        m_panes.revealSelection();
    });
    connect(m_summary, &DetailsView::boxesActivated, this,
            [this](const std::vector<std::uint32_t>& boxes, bool isOther) {
                m_document.selection().select(isOther ? Side::Target : Side::Source, boxes);
                m_panes.revealSelection();
            });
}

void DockController::addCommands()
{
    const auto isOpen = [this] { return m_document.isOpen(); };
    int key = Qt::Key_1;
    for (const auto* name : docksInOrder) {
        auto* dock = m_docks[QLatin1String(name)];
        auto* action =
            m_commands
                .add((QByteArray(name) + "Toggle").constData(), dock->windowTitle(),
                     QKeySequence(Qt::ALT | static_cast<Qt::Key>(key++)), nullptr, [this, dock] { callDock(*dock); })
                .enabledIf(isOpen)
                .checkable()
                .action();
        connect(dock->toggleViewAction(), &QAction::changed, action, [action, dock] {
            action->setChecked(dock->toggleViewAction()->isChecked());
            action->setText(dock->toggleViewAction()->text());
        });
    }
    m_commands
        .add("viewBottom", tr("Panels belo&w the graphs"), QKeySequence(Qt::CTRL | Qt::Key_J), nullptr,
             [this] { m_bottom->toggle(); })
        .enabledIf(isOpen)
        .checkable();
    m_commands.add("viewNextPane", tr("Ne&xt pane"), QKeySequence(Qt::Key_F6), nullptr, [this] { stepPane(1); })
        .enabledIf(isOpen);
    m_commands
        .add("viewPreviousPane", tr("Pre&vious pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6), nullptr,
             [this] { stepPane(-1); })
        .enabledIf(isOpen);
    m_commands
        .add("viewMaximize", tr("&Maximize the graph"), QKeySequence(Qt::Key_M), nullptr, [this] { toggleMaximized(); })
        .enabledIf(isOpen)
        .checkable()
        .limitedTo(*m_panes.widget());
    m_commands
        .add("viewFolded", tr("Folded nodes in the ou&tline"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_H), nullptr,
             [this] { m_outline->model()->setFoldedShown(m_commands["viewFolded"]->isChecked()); })
        .checkable();
    m_commands
        .add("editFind", tr("&Find a node"), QKeySequence::Find, "search",
             [this] {
                 show("outlineDock");
                 m_outline->focusSearch();
             })
        .enabledIf(isOpen);
    m_commands
        .add("fileTensor", tr("Save a te&nsor\u2026"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S), nullptr,
             [this] { saveTensor(); })
        .enabledIf([this] { return m_panes.frontPage() == nullptr && m_tensor->hasTensor(); });
    const auto step = [this](int direction) {
        show("problemsDock");
        m_problems->step(direction);
    };
    const auto hasProblems = [this] { return !m_document.problems().empty(); };
    m_commands.add("nextProblem", tr("&Next problem"), QKeySequence(Qt::Key_F8), "next-problem", [step] { step(1); })
        .enabledIf(hasProblems);
    m_commands
        .add("previousProblem", tr("&Previous problem"), QKeySequence(Qt::SHIFT | Qt::Key_F8), "previous-problem",
             [step] { step(-1); })
        .enabledIf(hasProblems);
}

void DockController::saveTensor()
{
    show("tensorDock");
    m_tensor->askExport();
}

bool DockController::isCovered(const QWidget* widget) const
{
    return std::any_of(m_docks.begin(), m_docks.end(),
                       [widget](const auto* dock) { return dock->isAncestorOf(widget) && !isSeen(*dock); });
}

void DockController::refreshTheme()
{
    m_summary->viewport()->update();
}

void DockController::show(const char* name)
{
    m_docks[QLatin1String(name)]->show();
    m_docks[QLatin1String(name)]->raise();
    m_bottom->reveal(*m_docks[QLatin1String(name)]);
}

void DockController::callDock(QDockWidget& dock)
{
    // A click in a menu leaves the focus unchanged.
    const bool hasFocus = dock.isAncestorOf(dock.isFloating() ? QApplication::focusWidget() : m_window.focusWidget());
    if (isSeen(dock) && hasFocus) {
        dock.close();
        m_panes.activeCanvas()->setFocus(Qt::ShortcutFocusReason);
    } else {
        dock.show();
        dock.raise();
        m_bottom->setPinned(m_bottom->isPinned() || m_bottom->isCollapsed());
        m_bottom->reveal(dock);
        focusDock(dock);
    }
    // A click toggles the check mark, but may not change the visibility.
    auto* action = m_commands[dock.objectName() + QStringLiteral("Toggle")];
    action->setChecked(dock.toggleViewAction()->isChecked());
}

void DockController::focusDock(QDockWidget& dock)
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

bool DockController::isUncovered(const char* name) const
{
    const auto* dock = m_docks[QLatin1String(name)];
    return dock->isFloating() ? dock->isVisible() : !m_bottom->isCollapsed() && !dock->visibleRegion().isEmpty();
}

void DockController::focusDetails()
{
    show("nodeDock");
    m_properties->takeFocus();
}

void DockController::askShapes()
{
    show("inputsDock");
    m_inputs->editOpenShape();
}

void DockController::stepPane(int direction)
{
    std::vector<QWidget*> places{m_docks[QLatin1String(docksInOrder.front())], m_panes.pane(Side::Source),
                                 m_panes.pane(Side::Target)};
    for (const auto* name : docksInOrder) {
        if (auto* dock = m_docks[QLatin1String(name)]; std::ranges::find(places, dock) == places.end()) {
            places.push_back(dock);
        }
    }
    std::erase_if(places, [](const QWidget* place) { return !isSeen(*place); });
    if (places.empty()) {
        return; // in a window that is not shown
    }
    const auto* focus = QApplication::focusWidget();
    const auto here =
        std::find_if(places.begin(), places.end(), [focus](const auto* place) { return place->isAncestorOf(focus); });
    const auto count = std::ssize(places);
    const auto next =
        here == places.end() ? (direction > 0 ? 0 : count - 1) : (here - places.begin() + direction + count) % count;
    QWidget* const place = places.at(static_cast<std::size_t>(next));
    if (auto* dock = qobject_cast<QDockWidget*>(place)) {
        focusDock(*dock);
    } else {
        static_cast<GraphPane*>(place)->visibleCanvas()->setFocus(Qt::ShortcutFocusReason);
    }
}

void DockController::refreshNotes()
{
    const auto* model = m_problems->model();
    const int errors = model->count(Severity::Error);
    const int warnings = model->count(Severity::Warning);
    const int notes = model->count(Severity::Note);
    QStringList parts;
    if (errors > 0) {
        parts.append(counted(errors, tr("1 error"), tr("%Ln errors", nullptr, errors)));
    }
    if (warnings > 0) {
        parts.append(counted(warnings, tr("1 warning"), tr("%Ln warnings", nullptr, warnings)));
    }
    if (notes > 0) {
        parts.append(counted(notes, tr("1 note"), tr("%Ln notes", nullptr, notes)));
    }
    const int all = errors + warnings + notes;
    const QString title = m_document.compared() != nullptr ? tr("Differences") : tr("Problems");
    m_docks[QStringLiteral("problemsDock")]->setWindowTitle(all > 0 ? QStringLiteral("%1 %2").arg(title).arg(all)
                                                                    : title);
    m_bottom->setNote(*m_docks[QStringLiteral("problemsDock")],
                      m_document.compared() != nullptr ? QString() : parts.join(QStringLiteral(", ")));
    const int inputs = m_inputs->model()->rowCount();
    m_bottom->setNote(*m_docks[QStringLiteral("inputsDock")],
                      inputs > 0 ? counted(inputs, tr("1 input"), tr("%Ln inputs", nullptr, inputs)) : QString());
    const auto* loaded = m_document.loaded();
    m_bottom->setNote(*m_docks[QStringLiteral("summaryDock")],
                      loaded != nullptr ? displayText(loaded->path.filename().string()) : QString());
    m_commands.refresh();
}

} // namespace crosswalk::ui
