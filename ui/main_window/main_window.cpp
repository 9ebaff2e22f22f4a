#include "ui/main_window/main_window.h"

#include "ui/controllers/banner_place.h"
#include "ui/controllers/body_controller.h"
#include "ui/controllers/colour_controller.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/compare_controller.h"
#include "ui/controllers/context_menus.h"
#include "ui/controllers/conversion_reports.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/drag_out_controller.h"
#include "ui/controllers/edit_controller.h"
#include "ui/controllers/export_controller.h"
#include "ui/controllers/file_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/controllers/navigation_controller.h"
#include "ui/controllers/node_filter.h"
#include "ui/controllers/option_controller.h"
#include "ui/controllers/save_controller.h"
#include "ui/controllers/status_line.h"
#include "ui/controllers/unknown_operators.h"
#include "ui/controllers/verify_controller.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/panels/banner.h"
#include "ui/panels/drop_frame.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/inputs_panel.h"
#include "ui/panels/start_page.h"
#include "ui/theme/styled_parts.h"

#include <QApplication>
#include <QCloseEvent>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int maxStops = 1000; ///< limit for Tab stops, in case the focus chain has no visible end

} // namespace

MainWindow::MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(std::move(settings))
    , m_preferences(m_settings.get())
    , m_document(nullptr)
    , m_recent(m_settings.get(), nullptr)
{
    setObjectName(QStringLiteral("mainWindow"));
    styleApart(*this);
    setWindowTitle(tr("Crosswalk"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    resize(1440, 900);
    buildCenter();
    buildControllers();
    addCommands();
    buildMenus();
    buildToolBar();
    m_palette = new CommandPalette(m_document, this);
    m_palette->setCommands(commands());
    connectControllers();
    m_commands->refresh();
    restoreLayout();
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
    m_commands = new CommandSet(*this);
    m_messages = new Messages(*center, m_document);
    m_dropFrame = new DropFrame(this);
    m_start = new StartPage(m_recent, m_stack);
    m_startArea = new QScrollArea; // a hidden page would otherwise still determine the window's minimum size
    m_startArea->setFrameShape(QFrame::NoFrame);
    m_startArea->setWidgetResizable(true);
    m_startArea->setFocusPolicy(Qt::NoFocus);
    m_startArea->setWidget(m_start);
    m_stack->addWidget(m_startArea);
    setCentralWidget(center);
}

void MainWindow::buildControllers()
{
    // In the order in which they react to the document.
    const WindowParts parts{*this, m_document, *m_commands, *m_messages, m_settings.get()};
    m_filter = new NodeFilter(parts);
    m_panes = new GraphPanes(parts, *m_filter);
    m_stack->addWidget(m_panes->widget());
    new BannerPlace(parts, *m_panes);
    m_docks = new DockController(parts, *m_panes);
    m_bodies = new BodyController(parts, *m_panes, *m_docks);
    m_navigation = new NavigationController(parts, *m_panes);
    new ContextMenus(parts, *m_panes, *m_docks, *m_bodies);
    m_status = new StatusLine(parts, *m_filter);
    m_colours = new ColourController(parts, *m_panes, *m_filter);
    m_options = new OptionController(parts);
    new EditController(parts, *m_panes);
    new UnknownOperators(parts, *m_docks);
    new CompareController(parts, *m_panes);
    auto* verify = new VerifyController(parts, *m_panes, *m_status);
    auto* dragOut = new DragOutController(parts, *m_panes);
    m_export = new ExportController(parts, *dragOut, *verify);
    auto* save = new SaveController(parts, *m_panes);
    new ConversionReports(parts, *m_panes, *m_docks);
    m_files = new FileController(parts, m_recent, *m_panes, *m_docks, *verify);
    connect(m_colours, &ColourController::runtimeMissing, verify, &VerifyController::explainRuntime);
    connect(m_docks, &DockController::saveLayersRequested, save, &SaveController::askLayers);
}

void MainWindow::connectControllers()
{
    connect(m_start, &StartPage::openAsked, this, [this] { m_files->askOpen(); });
    connect(m_start, &StartPage::pathChosen, this, [this](const QString& path) { openAnother(path); });
    connect(m_files, &FileController::openRequested, this, &MainWindow::openAnother);
    connect(m_files, &FileController::collectionRequested, this,
            [this](const QString& folder) { m_tabs->openCollection(folder); });
    connect(m_palette, &CommandPalette::nodeChosen, this, [this](Side side, std::uint32_t box) {
        m_document.selection().select(side, {box});
        revealSelection();
    });
    connect(m_panes, &GraphPanes::layoutChanged, this, &MainWindow::saveLayout);
    for (const auto side : {Side::Source, Side::Target}) {
        connect(m_panes->pane(side), &GraphPane::idleChanged, this, &MainWindow::reportWhenIdle);
    }
    connect(&m_document, &Document::opened, this, &MainWindow::showModel);
    connect(&m_document, &Document::openFailed, this,
            [this](const Diagnostic& /*problem*/, const std::filesystem::path& path) {
                if (!m_document.isOpen()) { // the title of the tab
                    setWindowFilePath(QString::fromStdString(path.string()));
                    setWindowTitle(tr("%1 \u2014 Crosswalk").arg(modelTitle(path)));
                }
            });
    // After all controllers, whose state the commands depend on.
    connect(&m_document, &Document::opened, m_commands, &CommandSet::refresh);
    connect(&m_document, &Document::conversionChanged, m_commands, &CommandSet::refresh);
    connect(&m_document.colours(), &BoxColours::changed, m_commands, &CommandSet::refresh);
    connect(&m_document, &Document::optionsChanged, m_commands, &CommandSet::refresh);
    connect(&m_document.selection(), &Selection::changed, m_commands, &CommandSet::refresh);
    connect(&m_document, &Document::busyChanged, this, [this] {
        m_commands->refresh();
        if (m_document.isIdle()) {
            emit becameIdle();
        }
    });
}

void MainWindow::showModel()
{
    const bool isOpen = m_document.isOpen();
    m_stack->setCurrentWidget(isOpen ? static_cast<QWidget*>(m_panes->widget()) : m_startArea);
    m_messages->banner().setAtBottom(isOpen); // the inputs are at the top
    m_docks->showWorkspace(isOpen);
    const auto* loaded = m_document.loaded();
    setWindowFilePath({}); // of a model that could not be opened
    setWindowTitle(loaded != nullptr ? tr("%1 \u2014 Crosswalk").arg(modelTitle(loaded->path)) : tr("Crosswalk"));
    if (isOpen && !m_docks->inputs().isAncestorOf(focusWidget())) { // another signature was chosen there
        canvas(Side::Source)->setFocus();
    }
}

CanvasView* MainWindow::canvas(Side side)
{
    return m_panes->canvas(side);
}

void MainWindow::revealSelection()
{
    m_panes->revealSelection();
}

bool MainWindow::isIdle() const
{
    return m_document.isIdle() && m_panes->isIdle();
}

void MainWindow::reportWhenIdle()
{
    if (isIdle()) {
        emit becameIdle();
    }
}

void MainWindow::openModel(const QString& path)
{
    m_document.open(path.toStdString(), {}, m_preferences.startingOptions());
}

void MainWindow::takeFiles(const QList<QUrl>& urls)
{
    m_files->takeFiles(urls);
}

ModelState MainWindow::state() const
{
    return m_files->state();
}

void MainWindow::restore(const ModelState& state)
{
    m_files->restore(state);
}

void MainWindow::setAnimated(bool animated)
{
    m_panes->setAnimated(animated);
}

void MainWindow::restoreLayout()
{
    m_stack->setCurrentWidget(m_startArea);
    m_docks->restoreSettings();
    if (m_settings) {
        m_panes->restoreState(m_settings->value(QStringLiteral("window/panes")).toByteArray());
        m_panes->setFlow(m_settings->value(QStringLiteral("window/leadsRight")).toBool() ? Flow::Right : Flow::Down);
        m_panes->showEdgeShapes(m_settings->value(QStringLiteral("window/edgeShapes"), true).toBool());
    }
}

void MainWindow::takePreferences()
{
    m_document.exporter().setSettings(m_preferences.exportSettings());
}

void MainWindow::saveLayout()
{
    if (m_settings && m_document.isOpen()) {
        m_docks->saveSettings();
    }
    if (m_settings) {
        m_settings->setValue(QStringLiteral("window/panes"), m_panes->saveState());
        m_settings->setValue(QStringLiteral("window/leadsRight"), m_document.folding().flow() == Flow::Right);
        m_settings->setValue(QStringLiteral("window/edgeShapes"), m_panes->areEdgeShapesShown());
    }
}

void MainWindow::takeLayout(const MainWindow& other)
{
    m_docks->takeLayout(*other.m_docks);
    m_panes->restoreState(other.m_panes->saveState());
    m_panes->setFlow(other.m_document.folding().flow());
    m_panes->showEdgeShapes(other.m_panes->areEdgeShapesShown());
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
    if (m_panes->widget()->sizes().value(0) == 0) {
        m_panes->widget()->setSizes({1000, 1000});
    }
    m_docks->showFloating();
    takePreferences();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_document.folding().setRoom(DockController::paneSize(size()) / detail::readable);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_palette != nullptr) {
        m_docks->refreshTheme();
        m_status->refresh(); // the marks use the theme's colours
        m_commands->refresh();
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    // No widget on the way accepted the focus: return to the graph.
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && m_document.isOpen()) {
        m_panes->activeCanvas()->setFocus(Qt::ShortcutFocusReason);
        if (m_filter->isActive()) {
            m_document.selection().select(m_document.selection().side(), {});
        }
        return;
    }
    QMainWindow::keyPressEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next)
{
    // Docks behind other tabs count as visible in Qt.
    for (int i = 0; i < maxStops; ++i) {
        if (!QMainWindow::focusNextPrevChild(next)) {
            return false;
        }
        if (!m_docks->isCovered(QApplication::focusWidget())) {
            break;
        }
    }
    return true;
}

} // namespace crosswalk::ui
