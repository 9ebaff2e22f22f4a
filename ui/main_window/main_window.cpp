#include "ui/main_window/main_window.h"

#include "ui/document/pairing.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/dock_title.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/details_view.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/inputs_panel.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/start_page.h"
#include "ui/panels/tensor_panel.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <limits>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int layoutVersion = 2;
constexpr std::size_t mostUncovered = 12; ///< counterparts whose groups are opened to show them

Side other(Side side)
{
    return side == Side::Source ? Side::Target : Side::Source;
}

} // namespace

MainWindow::MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(std::move(settings))
    , m_preferences(m_settings.get())
    , m_document(nullptr)
    , m_recent(m_settings.get(), nullptr)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Crosswalk"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    resize(1440, 900);
    buildCenter();
    buildDragHandle();
    buildDocks();
    buildActions();
    buildToolBar();
    buildStatusBar();
    m_palette = new CommandPalette(m_document, this);
    m_palette->setCommands(commands());
    m_watcher = new QFileSystemWatcher(this);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &MainWindow::tellFileChanged);
    connectDocument();
    connectPane(Side::Source);
    connectPane(Side::Target);
    connect(m_palette, &CommandPalette::nodeChosen, this, [this](Side side, std::uint32_t box) {
        m_document.select(side, {box});
        revealSelection();
    });
    showSide(Side::Source);
    showSide(Side::Target);
    refreshActions();
    refreshStatus();
    refreshNotes();
    restoreLayout();
    restoreRuntime();
    showWorkspace(false);
}

MainWindow::~MainWindow()
{
    // Jobs that end while the widgets go must find nobody to tell.
    m_document.disconnect();
}

void MainWindow::buildCenter()
{
    auto* center = new QWidget(this);
    center->setObjectName(QStringLiteral("center"));
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_banner = new Banner(center);
    m_stack = new QStackedWidget(center);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);
    m_start = new StartPage(m_recent, m_stack);
    m_splitter = new QSplitter(m_stack);
    m_splitter->setObjectName(QStringLiteral("panes"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_sourcePane = new GraphPane(QStringLiteral("source"), m_splitter);
    m_targetPane = new GraphPane(QStringLiteral("onnx"), m_splitter);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_startArea = new QScrollArea; // a page that is not shown keeps the window from being small all the same
    m_startArea->setFrameShape(QFrame::NoFrame);
    m_startArea->setWidgetResizable(true);
    m_startArea->setFocusPolicy(Qt::NoFocus);
    m_startArea->setWidget(m_start);
    m_stack->addWidget(m_startArea);
    m_stack->addWidget(m_splitter);
    setCentralWidget(center);
    connect(m_start, &StartPage::openAsked, this, &MainWindow::askOpen);
    connect(m_start, &StartPage::pathChosen, this, [this](const QString& path) { openAnother(path); });
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    dock->setWidget(content);
    auto* bar = new DockTitle(dock);
    dock->setTitleBarWidget(bar);
    content->setAttribute(Qt::WA_StyledBackground);
    addDockWidget(area, dock);
    m_docks.insert(name, dock);
    m_dockTitles.insert(name, bar);
    return dock;
}

void MainWindow::buildDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_outline = new OutlinePanel(m_document, this);
    m_properties = new PropertiesPanel(m_document, this);
    m_problems = new ProblemsPanel(m_document, this);
    m_inputs = new InputsPanel(m_document, this);
    m_summary = new DetailsView(this);
    m_summary->setObjectName(QStringLiteral("summaryTree"));
    m_summary->setAccessibleName(tr("Summary of the model"));
    addDock(QStringLiteral("outlineDock"), tr("Outline"), m_outline, Qt::LeftDockWidgetArea);
    addDock(QStringLiteral("nodeDock"), tr("Node"), m_properties, Qt::RightDockWidgetArea);
    auto* problems = addDock(QStringLiteral("problemsDock"), tr("Problems"), m_problems, Qt::BottomDockWidgetArea);
    auto* inputs = addDock(QStringLiteral("inputsDock"), tr("Inputs"), m_inputs, Qt::BottomDockWidgetArea);
    auto* summary = addDock(QStringLiteral("summaryDock"), tr("Summary"), m_summary, Qt::BottomDockWidgetArea);
    tabifyDockWidget(problems, inputs);
    m_tensor = new TensorPanel(m_document, this);
    auto* tensor = addDock(QStringLiteral("tensorDock"), tr("Tensor"), m_tensor, Qt::BottomDockWidgetArea);
    tabifyDockWidget(inputs, summary);
    tabifyDockWidget(summary, tensor);
    problems->raise();

    connect(m_outline, &OutlinePanel::activated, this, &MainWindow::revealSelection);
    connect(m_properties, &PropertiesPanel::activated, this, &MainWindow::revealSelection);
    const auto selectInBody = [this](std::uint32_t box) {
        if (auto* page = pane(m_activeSide)->frontPage()) {
            page->select(box);
        }
    };
    connect(m_outline, &OutlinePanel::boxInBodyActivated, this, selectInBody);
    connect(m_properties, &PropertiesPanel::boxInBodyActivated, this, selectInBody);
    connect(m_properties, &PropertiesPanel::tensorActivated, this, [this, tensor](ValueId value) {
        tensor->show();
        tensor->raise();
        m_tensor->showTensor(value);
    });
    connect(tensor, &QDockWidget::visibilityChanged, m_tensor, &TensorPanel::setSeen);
    connect(m_tensor, &TensorPanel::exported, this, [this](const QString& path) {
        m_banner->clear(QStringLiteral("tensor"));
        m_message->setText(tr("Saved %1").arg(path));
    });
    connect(m_tensor, &TensorPanel::exportFailed, this, [this](const QString& problem) {
        m_banner->show(QStringLiteral("tensor"), Severity::Error, tr("The tensor was not saved: %1.").arg(problem));
    });
    connect(m_problems, &ProblemsPanel::activated, this, &MainWindow::revealSelection);
    connect(m_summary, &DetailsView::boxActivated, this, [this](std::uint32_t box) {
        m_document.select(Side::Source, {box});
        revealSelection();
    });
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::opened, this, [this] {
        m_freshlyOpened = m_document.isOpen();
        m_sourcePane->closeBodies();
        m_targetPane->closeBodies();
        showWorkspace(m_document.isOpen());
        m_banner->hide();
        if (m_document.isOpen()) {
            m_recent.add(QString::fromStdString(m_document.path().string()));
            m_sourcePane->canvas()->setFocus();
        }
        m_checked->clear();
        m_message->clear();
        watchFiles();
        refreshActions();
    });
    connect(&m_document, &Document::openFailed, this, &MainWindow::tellOpenFailed);
    connect(&m_document, &Document::sideChanged, this, &MainWindow::showSide);
    connect(&m_document, &Document::foldingChanged, this, &MainWindow::showFolding);
    connect(&m_document, &Document::selectionChanged, this, &MainWindow::showSelection);
    connect(&m_document, &Document::marksChanged, this, [this] {
        showMarks(Side::Source);
        showMarks(Side::Target);
        refreshActions();
        refreshStatus();
    });
    connect(&m_document, &Document::conversionChanged, this, [this] {
        for (const auto side : {Side::Source, Side::Target}) {
            showMarks(side);
        }
        m_summary->setSections(modelSummary(m_document));
        m_checked->clear();
        m_banner->clear(QStringLiteral("verify"));
        m_banner->clear(QStringLiteral("edit"));
        tellOpenShapes();
        tellMissingWeights();
        tellEditedInputs();
        refreshActions();
        refreshStatus();
        refreshNotes();
        if (m_freshlyOpened && m_document.converted()) {
            m_freshlyOpened = false;
            if (m_document.converted()->conversion.hasErrors()) {
                m_docks[QStringLiteral("problemsDock")]->show();
                m_docks[QStringLiteral("problemsDock")]->raise();
                m_problems->step(1);
            }
        }
        restoreView();
    });
    connect(&m_document, &Document::conversionFailed, this, &MainWindow::tellConversionFailed);
    connect(&m_document, &Document::problemsChanged, this, &MainWindow::refreshNotes);
    connect(&m_document, &Document::optionsChanged, this, &MainWindow::refreshActions);
    connect(&m_document, &Document::exported, this, &MainWindow::tellExported);
    connect(&m_document, &Document::exportFailed, this, [this](const Diagnostic& problem) {
        m_banner->show(QStringLiteral("export"), Severity::Error,
                       tr("Nothing was exported: %1").arg(QString::fromStdString(problem.message)));
    });
    connect(&m_document, &Document::saved, this, &MainWindow::tellSaved);
    connect(&m_document, &Document::saveFailed, this, &MainWindow::tellNotSaved);
    connect(&m_document, &Document::verified, this, &MainWindow::tellVerified);
    connect(&m_document, &Document::mistakeHappened, this, &MainWindow::tellMistake);
    connect(&m_document, &Document::busyChanged, this, [this] {
        showProgress();
        refreshActions();
        if (m_document.isIdle()) {
            emit becameIdle();
        }
    });
    connect(&m_recent, &RecentFiles::changed, this, &MainWindow::refreshRecent);
}

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

void MainWindow::connectPane(Side side)
{
    CanvasView* view = canvas(side);
    view->setToolTips(
        [this, side, view](std::uint32_t drawn) {
            const auto group = view->drawnScene()->groupOf(drawn);
            return group ? groupToolTip(m_document, side, *group)
                         : boxToolTip(m_document, side, view->drawnScene()->membersOf({drawn}).front());
        },
        [this, side, view](std::uint32_t edge) {
            return edgeToolTip(m_document, side, view->drawnScene()->scene.edges[edge].value);
        });
    view->setEdgeLabel([this, side, view](std::uint32_t edge) {
        const ValueId value = view->drawnScene()->scene.edges[edge].value;
        return value ? typeText(typeOf(m_document, side, value)) : QString();
    });
    connect(view, &CanvasView::picked, this, [this, side, view](const std::vector<std::uint32_t>& drawn) {
        m_activeSide = side;
        m_document.select(side, view->drawnScene() != nullptr ? view->drawnScene()->membersOf(drawn)
                                                              : std::vector<std::uint32_t>());
        reveal(other(side), m_document.counterpartsOfSelection());
    });
    connect(view, &CanvasView::groupToggled, this, [this, side](std::uint32_t group) {
        m_activeSide = side;
        m_document.toggleGroup(side, group);
    });
    connect(view, &CanvasView::leftUpwards, this, [this] { closeGroup(); });
    connect(view, &CanvasView::activated, this, [this, side, view](std::uint32_t drawn) {
        activate(side, view->drawnScene()->membersOf({drawn}).front());
    });
    connectBodies(side);
    connect(view, &CanvasView::transformChanged, this, [this, side] {
        const double percent = activeCanvas()->scale() * 100;
        m_zoomLabel->setText(percent < 1 ? tr("%L1 %").arg(percent, 0, 'g', 1) : tr("%L1 %").arg(std::lround(percent)));
        follow(side);
    });
}

CanvasView* MainWindow::canvas(Side side)
{
    return pane(side)->canvas();
}

bool MainWindow::isIdle() const
{
    return m_document.isIdle() && m_sourcePane->isIdle() && m_targetPane->isIdle();
}

void MainWindow::focusDetails()
{
    m_docks[QStringLiteral("nodeDock")]->show();
    m_docks[QStringLiteral("nodeDock")]->raise();
    m_properties->takeFocus();
}

void MainWindow::openModel(const QString& path)
{
    m_document.open(path.toStdString(), {}, m_preferences.startingOptions());
}

void MainWindow::setAnimated(bool animated)
{
    for (auto* one : {m_sourcePane, m_targetPane}) {
        one->setAnimated(animated);
    }
}

void MainWindow::showSide(Side side)
{
    const auto& graphSide = m_document.side(side);
    CanvasView* view = canvas(side);
    const auto* compared = m_document.compared();
    const auto with = compared != nullptr ? compared->path : std::filesystem::path();
    const bool isOther = side == Side::Target && std::exchange(m_comparedWith, with) != with;
    const bool keep =
        view->drawnScene() != nullptr && graphSide && m_document.converted() && !m_freshlyOpened && !isOther;
    if (isOther) {
        watchFiles();
    }
    const auto drawn = graphSide ? m_document.drawing(side)->drawn : nullptr;
    if (!drawn || drawn.get() != view->drawnScene()) {
        const bool sourceAgain = side == Side::Source && view->drawnScene() != nullptr && m_document.converted();
        if (graphSide && !isOther) {
            pane(side)->follow(*graphSide);
        } else {
            pane(side)->closeBodies();
        }
        if (drawn && (keep || sourceAgain)) {
            view->changeScene(drawn, m_document.sameAsBefore(side));
        } else {
            view->setScene(drawn);
        }
        showMarks(side);
    }
    const int nodeCount = graphSide ? static_cast<int>(graphSide->graph->nodeCount()) : 0;
    const auto nodes = graphSide ? counted(nodeCount, tr("1 node"), tr("%Ln nodes", nullptr, nodeCount)) : QString();
    if (side == Side::Source) {
        const auto* loaded = m_document.loaded();
        m_sourcePane->setTitle(compared != nullptr ? tr("Before") : tr("Source"),
                               loaded != nullptr ? QString::fromStdString(loaded->path.filename().string()) : QString(),
                               loaded != nullptr ? QStringList{fromUtf8(loaded->graph->producer), nodes}
                                                 : QStringList());
        setWindowTitle(loaded != nullptr
                           ? tr("%1 \u2014 Crosswalk").arg(QString::fromStdString(loaded->path.filename().string()))
                           : tr("Crosswalk"));
    } else if (compared != nullptr) {
        m_targetPane->setTitle(tr("After"), QString::fromStdString(compared->path.filename().string()), {nodes});
    } else {
        m_targetPane->setTitle(
            tr("ONNX"),
            m_document.converted() ? tr("opset %1").arg(m_document.converted()->conversion.opset) : QString(), {nodes});
        view->setPlaceholder(m_document.converted() ? tr("Nothing could be converted. The problems below say why.")
                                                    : tr("The ONNX graph appears here."));
    }
}

void MainWindow::showSelection()
{
    const Side side = m_document.selectedSide();
    canvas(side)->setSelection(drawnBoxes(side, m_document.selection()));
    canvas(side)->setCounterparts({});
    canvas(other(side))->setSelection({});
    canvas(other(side))->setCounterparts(drawnBoxes(other(side), m_document.counterpartsOfSelection()));
    refreshActions();
}

std::vector<std::uint32_t> MainWindow::drawnBoxes(Side side, const std::vector<std::uint32_t>& boxes)
{
    const auto* drawn = canvas(side)->drawnScene();
    return drawn != nullptr ? drawn->drawnAs(boxes) : std::vector<std::uint32_t>();
}

void MainWindow::showMarks(Side side)
{
    const auto* drawn = canvas(side)->drawnScene();
    canvas(side)->setMarks(drawn != nullptr ? marksAsDrawn(m_document.shownMarks(side), *drawn) : nullptr);
}

void MainWindow::showFolding(Side side, std::optional<std::uint32_t> group)
{
    canvas(side)->changeScene(m_document.drawing(side)->drawn, SameBoxes(), group);
    showMarks(side);
    showSelection();
    if (std::exchange(m_revealWhenFolded[static_cast<std::size_t>(side)], false)) {
        canvas(side)->reveal(drawnBoxes(
            side, side == m_document.selectedSide() ? m_document.selection() : m_document.counterpartsOfSelection()));
    }
}

void MainWindow::revealSelection()
{
    reveal(m_document.selectedSide(), m_document.selection());
    reveal(other(m_document.selectedSide()), m_document.counterpartsOfSelection());
}

void MainWindow::reveal(Side side, const std::vector<std::uint32_t>& boxes)
{
    // A node is looked for in its group; a group that was selected as a whole stays closed.
    pane(side)->showGraph();
    const bool isNode = m_document.selection().size() == 1 && boxes.size() <= mostUncovered;
    if (isNode && m_document.uncover(side, boxes)) {
        m_revealWhenFolded[static_cast<std::size_t>(side)] = true;
    } else {
        canvas(side)->reveal(drawnBoxes(side, boxes));
    }
}

void MainWindow::closeGroup()
{
    const auto group = m_document.groupAroundSelection();
    if (group && pane(m_document.selectedSide())->frontPage() == nullptr) {
        m_document.toggleGroup(m_document.selectedSide(), *group);
    }
}

void MainWindow::follow(Side moved)
{
    const auto* link = m_actions.value(QStringLiteral("viewLinkPanes"));
    if (m_following || link == nullptr || !link->isChecked() || !m_document.converted() || !canvas(moved)->hasFocus()) {
        return;
    }
    // The box nearest to the middle leads: its counterpart comes to the same place of the other pane.
    CanvasView* from = canvas(moved);
    const auto* drawn = from->drawnScene();
    if (drawn == nullptr || m_document.side(other(moved)) == nullptr) {
        return;
    }
    const QRectF visible = from->visibleArea();
    std::vector<std::uint32_t> seen;
    drawn->index.nodesIn(visible.adjusted(visible.width() * 0.3, visible.height() * 0.3, -visible.width() * 0.3,
                                          -visible.height() * 0.3),
                         seen);
    double nearest = std::numeric_limits<double>::max();
    std::optional<std::pair<std::uint32_t, std::uint32_t>> lead;
    for (std::size_t i = 0; i < std::min<std::size_t>(seen.size(), 400); ++i) {
        const double distance = (drawn->index.box(seen[i]).center() - visible.center()).manhattanLength();
        if (distance < nearest) {
            const auto pair = counterparts(moved, {drawn->membersOf({seen[i]}).front()}, *m_document.side(Side::Source),
                                           *m_document.side(Side::Target), m_document.converted()->conversion);
            if (!pair.empty()) {
                nearest = distance;
                lead = {seen[i], drawnBoxes(other(moved), {pair.front()}).front()};
            }
        }
    }
    if (lead) {
        m_following = true;
        CanvasView* to = canvas(other(moved));
        const QPointF place = from->transform().toView(drawn->index.box(lead->first).center());
        to->setTransform({to->transform().origin, from->scale()});
        to->moveTo(to->drawnScene()->index.box(lead->second).center(), place);
        m_following = false;
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

void MainWindow::closeEvent(QCloseEvent* event)
{
    saveLayout();
    m_document.cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (m_splitter->sizes().value(0) == 0) {
        m_splitter->setSizes({1000, 1000});
    }
    showFloatingDocks();
    takePreferences();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_counts != nullptr) {
        m_summary->viewport()->update();
        refreshStatus(); // its marks have the theme's colours
        for (const auto* name : {"themeSystem", "themeLight", "themeDark"}) {
            auto* action = m_actions[QLatin1String(name)];
            action->setChecked(action->data().toInt() == static_cast<int>(themeChoice()));
        }
    }
}

} // namespace crosswalk::ui
