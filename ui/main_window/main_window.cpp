#include "ui/main_window/main_window.h"

#include "ui/main_window/bottom_area.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/dock_title.h"
#include "ui/main_window/pane_switch.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/details_view.h"
#include "ui/panels/drop_frame.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/inputs_panel.h"
#include "ui/panels/layers_panel.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/start_page.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/toast.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace crosswalk::ui {
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
    buildNavigation();
    buildCenter();
    buildDragHandle();
    buildDocks();
    buildActions();
    buildToolBar();
    buildStatusBar();
    m_palette = new CommandPalette(m_document, this);
    m_palette->setCommands(commands());
    m_watcher = new QFileSystemWatcher(this);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &MainWindow::reportFileChanged);
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
}

MainWindow::~MainWindow()
{
    // Jobs that end during destruction must not signal to destroyed widgets.
    m_document.disconnect();
}

void MainWindow::buildCenter()
{
    auto* center = new QWidget(this);
    center->setObjectName(QStringLiteral("center"));
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_stack = new QStackedWidget(center);
    layout->addWidget(m_stack, 1);
    m_banner = new Banner(center);
    m_toast = new Toast(center);
    m_dropFrame = new DropFrame(this);
    m_start = new StartPage(m_recent, m_stack);
    m_splitter = new QSplitter(m_stack);
    m_splitter->setObjectName(QStringLiteral("panes"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_sourcePane = new GraphPane(QStringLiteral("source"), m_splitter);
    m_targetPane = new GraphPane(QStringLiteral("onnx"), m_splitter);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_paneSwitch = new PaneSwitch(*m_sourcePane, *m_targetPane, this);
    connect(m_paneSwitch, &PaneSwitch::changed, this, &MainWindow::refreshPanes);
    m_startArea = new QScrollArea; // a hidden page would otherwise still determine the window's minimum size
    m_startArea->setFrameShape(QFrame::NoFrame);
    m_startArea->setWidgetResizable(true);
    m_startArea->setFocusPolicy(Qt::NoFocus);
    m_startArea->setWidget(m_start);
    m_stack->addWidget(m_startArea);
    m_stack->addWidget(m_splitter);
    setCentralWidget(center);
    connect(m_start, &StartPage::openAsked, this, [this] { askOpen(); });
    connect(m_start, &StartPage::pathChosen, this, [this](const QString& path) { openAnother(path); });
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    dock->setWidget(content);
    dock->setTitleBarWidget(new DockTitle(dock));
    content->setAttribute(Qt::WA_StyledBackground);
    addDockWidget(area, dock);
    m_docks.insert(name, dock);
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
    m_layers = new LayersPanel(m_document, this);
    auto* layers = addDock(QStringLiteral("layersDock"), tr("Layers"), m_layers, Qt::BottomDockWidgetArea);
    tabifyDockWidget(summary, tensor);
    tabifyDockWidget(tensor, layers);
    problems->raise();
    m_bottom = new BottomArea(*this, {problems, inputs, summary, tensor, layers});
    m_bottom->setCollapsed(true);
    connect(m_bottom, &BottomArea::collapsedChanged, this, [this] {
        if (auto* action = m_actions.value(QStringLiteral("viewBottom"))) {
            action->setChecked(!m_bottom->isCollapsed());
        }
        // Qt reports no change of visibility when the area expands again.
        QTimer::singleShot(0, this, [this] {
            m_tensor->setSeen(isUncovered("tensorDock"));
            m_layers->setSeen(isUncovered("layersDock"));
        });
    });

    connect(m_outline, &OutlinePanel::activated, this, &MainWindow::revealSelection);
    connect(m_properties, &PropertiesPanel::activated, this, &MainWindow::revealSelection);
    const auto selectInBody = [this](std::uint32_t box) {
        if (auto* page = pane(m_activeSide)->frontPage()) {
            page->select(box);
        }
    };
    connect(m_outline, &OutlinePanel::boxInBodyActivated, this, selectInBody);
    connect(m_properties, &PropertiesPanel::boxInBodyActivated, this, selectInBody);
    connect(m_properties, &PropertiesPanel::tensorActivated, this, [this](ValueId value) {
        showDock("tensorDock");
        m_tensor->showTensor(value);
    });
    connect(tensor, &QDockWidget::visibilityChanged, m_tensor, &TensorPanel::setSeen);
    connect(layers, &QDockWidget::visibilityChanged, m_layers, &LayersPanel::setSeen);
    connect(m_layers, &LayersPanel::activated, this, &MainWindow::revealSelection);
    connect(m_layers, &LayersPanel::saveAsked, this, &MainWindow::askLayers);
    connect(m_tensor, &TensorPanel::exported, this, [this](const QString& path) {
        m_banner->clear(QStringLiteral("tensor"));
        m_message->setText(tr("Saved %1").arg(path));
    });
    connect(m_tensor, &TensorPanel::exportFailed, this, [this](const QString& problem) {
        m_banner->show(QStringLiteral("tensor"), Severity::Error, tr("The tensor was not saved: %1.").arg(problem));
    });
    connect(m_inputs, &InputsPanel::signatureChosen, this, [this](const std::string& signature) {
        m_viewToRestore = view();
        m_document.useSignature(signature);
    });
    connect(m_problems, &ProblemsPanel::activated, this, &MainWindow::revealSelection);
    connect(m_problems, &ProblemsPanel::weightsAsked, this, &MainWindow::askWeights);
    connect(m_problems, &ProblemsPanel::shapesAsked, this, &MainWindow::askShapes);
    connect(m_problems, &ProblemsPanel::bodyActivated, this, &MainWindow::showInSourceBody);
    connect(m_summary, &DetailsView::boxActivated, this, [this](std::uint32_t box) {
        m_document.select(Side::Source, {box});
        revealSelection();
    });
    connect(m_summary, &DetailsView::boxesActivated, this,
            [this](const std::vector<std::uint32_t>& boxes, bool isOther) {
                m_document.select(isOther ? Side::Target : Side::Source, boxes);
                revealSelection();
            });
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::opened, this, [this] {
        m_newlyOpened = m_document.isOpen();
        m_paneSwitch->forget();
        suggestPanes();
        m_sourcePane->closeBodies();
        m_targetPane->closeBodies();
        showWorkspace(m_document.isOpen());
        m_banner->hide();
        if (m_document.isOpen()) {
            m_recent.add(QString::fromStdString(m_document.path().string()));
            if (!m_inputs->isAncestorOf(focusWidget())) { // another signature was chosen there
                m_sourcePane->canvas()->setFocus();
            }
        }
        m_checked->clear();
        m_message->clear();
        watchFiles();
        refreshActions();
    });
    connect(&m_document, &Document::openFailed, this, &MainWindow::reportOpenFailed);
    connect(&m_document, &Document::sideChanged, this, &MainWindow::showSide);
    connect(&m_document, &Document::foldingChanged, this, &MainWindow::showFolding);
    connect(&m_document, &Document::selectionChanged, this, &MainWindow::showSelection);
    connect(&m_document, &Document::marksChanged, this, [this] {
        m_filter.reset(); // the legend has different entries
        showMarks(Side::Source);
        showMarks(Side::Target);
        refreshActions();
        refreshStatus();
        showColourLegend();
    });
    connect(&m_document, &Document::latencyMeasured, this, &MainWindow::reportLatency);
    connect(&m_document, &Document::conversionChanged, this, [this] {
        m_filter.reset();
        for (const auto side : {Side::Source, Side::Target}) {
            showMarks(side);
        }
        m_summary->setSections(modelSummary(m_document));
        m_checked->clear();
        m_banner->clear(QStringLiteral("verify"));
        m_banner->clear(QStringLiteral("edit"));
        m_banner->clear(QStringLiteral("cancelled"));
        m_message->setText(std::exchange(m_pendingMessage, {})); // the previous message concerned another model
        m_message->setToolTip({});
        reportUnknownShapes();
        reportMissingWeights();
        reportEditedInputs();
        refreshActions();
        refreshStatus();
        refreshNotes();
        suggestPanes();
        showColourLegend();
        if (m_newlyOpened && m_document.converted()) {
            m_newlyOpened = false;
            arrangeBottom();
            if (m_document.converted()->conversion.hasErrors()) {
                showDock("problemsDock");
                m_problems->step(1);
            }
        }
        restoreView();
    });
    connect(&m_document, &Document::conversionFailed, this, &MainWindow::reportConversionFailed);
    connect(&m_document, &Document::conversionCancelled, this, &MainWindow::reportCancelled);
    connect(&m_document, &Document::problemsChanged, this, &MainWindow::refreshNotes);
    connect(&m_document, &Document::optionsChanged, this, &MainWindow::refreshActions);
    connect(&m_document, &Document::exported, this, &MainWindow::reportExported);
    connect(&m_document, &Document::exportFailed, this, [this](const Diagnostic& problem) {
        m_message->clear();
        m_banner->show(QStringLiteral("export"), Severity::Error,
                       tr("Nothing was exported: %1").arg(QString::fromStdString(problem.message)));
    });
    connect(&m_document, &Document::saved, this, &MainWindow::reportSaved);
    connect(&m_document, &Document::saveFailed, this, &MainWindow::reportSaveFailed);
    connect(&m_document, &Document::verified, this, &MainWindow::reportVerified);
    connect(&m_document, &Document::internalErrorOccurred, this, &MainWindow::reportInternalError);
    connect(&m_document, &Document::busyChanged, this, [this] {
        showProgress();
        refreshActions();
        if (m_document.isIdle()) {
            emit becameIdle();
        }
    });
    connect(&m_recent, &RecentFiles::changed, this, &MainWindow::refreshRecent);
}

CanvasView* MainWindow::canvas(Side side)
{
    return pane(side)->canvas();
}

bool MainWindow::isIdle() const
{
    return m_document.isIdle() && m_sourcePane->isIdle() && m_targetPane->isIdle();
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
        refreshStatus(); // the marks use the theme's colours
        for (const auto* name : {"themeSystem", "themeLight", "themeDark"}) {
            auto* action = m_actions[QLatin1String(name)];
            action->setChecked(action->data().toInt() == static_cast<int>(themeChoice()));
        }
    }
}

} // namespace crosswalk::ui
