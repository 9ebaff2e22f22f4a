#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/document/document.h"
#include "ui/main_window/graph_navigation.h"
#include "ui/main_window/preferences.h"
#include "ui/main_window/session.h"
#include "ui/models/recent_files.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QMap>
#include <QSettings>
#include <QTemporaryDir>
#include <QUrl>

#include <memory>

class QActionGroup;
class QFileSystemWatcher;
class QLabel;
class QProgressBar;
class QScrollArea;
class QSplitter;
class QStackedWidget;
class QTimer;
class QToolBar;
class QToolButton;
class QVBoxLayout;

namespace crosswalk::ui {

class Banner;
class BottomArea;
class ColourLegend;
class CommandPalette;
class DragHandle;
class DropFrame;
class GraphPane;
class InputsPanel;
class LayersPanel;
class OutlinePanel;
class PaneSwitch;
class ProblemsPanel;
class PropertiesPanel;
class StartPage;
class TabbedWindow;
class TensorPanel;
class Toast;
class DetailsView;

/// A window for one model: source left, ONNX right, docks around them (UI.md). Connects the document, which has the
/// model's state, with the widgets. A separate window, or a tab of a TabbedWindow.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// Null settings: nothing is stored (tests, screenshots).
    explicit MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return m_document; }
    CanvasView* canvas(Side side);
    void openModel(const QString& path);
    /// Opens models, reopens the model with weights, or verifies against recorded tensors.
    void takeFiles(const QList<QUrl>& urls);
    /// Whether no model is open or being opened.
    bool isVacant() const { return !m_document.isOpen() && m_document.isIdle(); }
    /// The state of the model: files, options, selection and zoom.
    ModelState state() const;
    const Preferences& preferences() const { return m_preferences; }
    void restore(const ModelState& state);
    /// All commands, for the palette.
    QList<QAction*> commands() const;
    /// Reveals the selection and its counterparts; opens the groups that hide a single node.
    void revealSelection();
    /// Whether no job is running and all layouts and updates are done.
    bool isIdle() const;
    /// If false, the canvases move immediately (tests, screenshots).
    void setAnimated(bool animated);

    // As a tab of a window:
    void setTabs(TabbedWindow* tabs);
    /// Moves the menus and tool bars to `place`, which all tabs of a window share.
    void moveBars(QVBoxLayout* place);
    /// Copies the layout of docks and panes from another tab.
    void takeLayout(const MainWindow& other);
    void saveLayout();
    void takeFocus();
    void refreshTabActions();

signals:
    void becameIdle();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    // main_window.cpp: creates and connects the widgets.
    void buildCenter();
    void buildDocks();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void connectDocument();
    GraphPane* pane(Side side) { return side == Side::Source ? m_sourcePane : m_targetPane; }

    // main_window_layout.cpp: layout of docks and panes.
    void showWorkspace(bool open);
    void restoreLayout();
    QByteArray layoutOfDocks() const;
    /// Hides all docks, or restores them.
    void toggleMaximized();
    /// Shows the panel of problems if there are any, and collapses the panels if there are none.
    void arrangeBottom();

    // main_window_docks.cpp: keyboard control of docks and panes.
    void buildDockActions(QMenu& view);
    void refreshDockActions();
    void showDock(const char* name);
    /// Shows and focuses a dock; hides it if it has the focus.
    void callDock(QDockWidget& dock);
    void focusDock(QDockWidget& dock);
    /// Whether a dock below the graphs can be seen: it is neither behind another one nor collapsed.
    bool isUncovered(const char* name) const;
    void focusDetails();
    void stepPane(int direction);

    // main_window_panes.cpp: the contents of the two panes.
    void connectPane(Side side);
    void buildPaneActions(QMenu& view);
    /// Shows both panes, or one of an ONNX source that the export does not change.
    void suggestPanes();
    void refreshPanes(bool focusHidden);
    void showSide(Side side);
    void showMarks(Side side);
    void showFolding(Side side, std::optional<std::uint32_t> group);
    void showSelection();
    /// A jump comes from a list or a search: it zooms to a readable scale.
    void reveal(Side side, const std::vector<std::uint32_t>& boxes, bool isJump = false);
    std::vector<std::uint32_t> drawnBoxes(Side side, const std::vector<std::uint32_t>& boxes);
    void closeGroup();
    /// If the panes are linked, moves the other one accordingly.
    void follow(Side moved);

    // main_window_actions.cpp: menus, tool bar, shortcuts.
    void buildActions();
    void buildToolBar();
    QAction* addCommand(const char* name, const QString& text, const QKeySequence& shortcut, const char* iconName,
                        std::function<void()> run);
    /// Single letters are shortcuts only while a graph has the focus: elsewhere they are text.
    void limitToGraphs(QAction* action);
    void refreshActions();
    void refreshRecent();
    CanvasView* activeCanvas();
    void setTheme(ThemeChoice choice);

    // main_window_messages.cpp: status bar, banners, progress.
    void buildStatusBar();
    void refreshStatus();
    void showZoom();
    /// Selects all nodes of a legend entry in the status bar: a verdict or an error level.
    void selectMarked(int entry);
    /// Shows only the nodes of a legend entry, or all nodes if that filter is active.
    void toggleFilter(int entry);
    void endFilter();
    void showFilter();
    /// The marks of a side; nodes hidden by the legend filter are dimmed.
    std::shared_ptr<const SceneMarks> filteredMarks(Side side) const;
    QString legendEntry(int entry, const QColor& mark, std::ptrdiff_t count, const QString& name) const;
    void refreshNotes();
    void showProgress();
    void reportOpenFailed(const Diagnostic& problem, const std::filesystem::path& path);
    void reportUnknownShapes();
    void reportMissingWeights();
    /// Shows the inputs, with the shape of the first one that needs one being edited.
    void askShapes();
    void reportCancelled();
    void reportInternalError(const QString& activity, const QString& what);

    // main_window_output.cpp: dialogs for opening, exporting and help.
    void askOpen(bool isFolder = false);
    void askWeights();
    /// Opens the only model in a folder, or asks which one; returns false if there is none.
    bool openModelIn(const QString& folder);
    void askExport();
    /// Asks before replacing a file; the question warns if it is the open model.
    void exportOver(const QString& path);
    void reportExported(const ExportResult& result);
    // main_window_drag_out.cpp: the export as a file for other programs.
    void buildDragHandle();
    void refreshDragHandle();
    void requestExport(bool copied);
    void takeOut();
    /// The files that the current conversion was exported to; empty if there are none or they no longer exist.
    QStringList exportedFiles() const;
    void rememberExport(const ExportResult& result);
    // main_window_pictures.cpp: pictures, tables and reports of the displayed model.
    void askPicture(CanvasView::Part part);
    void askReport();
    void askLayers();
    void reportSaved(const std::filesystem::path& path);
    void reportSaveFailed(const Diagnostic& problem);

    /// What can be done with a written file, over the graphs.
    void offerFile(const QString& text, const std::filesystem::path& file);
    void showAbout();
    void showShortcuts();

    // main_window_files.cpp: changes on disk; saving and restoring the state of a model.
    void watchFiles();
    void reportFileChanged(const QString& path);
    void reload();
    void readAgain(const std::filesystem::path& weights);
    ModelView view() const;
    void restoreView();

    // main_window_bodies.cpp: bodies of nodes, in place and in tabs.
    void connectBodies(Side side);
    void activate(Side side, std::uint32_t box);
    /// The side of the selected node and the path of its body; nothing if it has no body.
    std::optional<std::pair<Side, BodyPath>> selectedBody();
    void openBodyTab();
    /// Selects a node in a body of the source, and the counterpart of the enclosing node.
    void showInSourceBody(const GraphPath& path, NodeId node);
    /// Shows the body in front in the outline and the properties.
    void showFrontBody();

    // main_window_navigation.cpp: ways through the graphs, and context menus.
    /// The graph in front of the active side, and its selected boxes.
    struct Picked {
        std::shared_ptr<const GraphSide> graph; ///< null if there is none
        std::vector<std::uint32_t> boxes;
        bool isBody = false;
    };
    Picked picked();
    void buildNavigation();
    void buildNavigationActions();
    void buildCopyActions(QMenu& edit);
    void refreshNavigationActions();
    void fillBookmarkMenu();
    void showBookmarks(Side side);
    using BoxSearch = std::vector<std::uint32_t> (*)(const Scene& scene, std::span<const std::uint32_t> boxes);
    /// Runs the search in the body in front, or the command in the graph.
    void extendSelection(BoxSearch search, void (GraphNavigation::*command)());
    void copyNames();
    void copyJson();
    void copyPicture();
    void addTensorMenu(QMenu& menu);
    QMenu* makeContextMenu(Side side, CanvasView* view, const char* name);
    void showNodeMenu(Side side, CanvasView* view, const QPoint& place);
    void showEdgeMenu(Side side, CanvasView* view, std::uint32_t edge, const QPoint& place);
    void showBackgroundMenu(Side side, CanvasView* view, const QPoint& place);

    // main_window_colours.cpp: what the colours of boxes represent, and their legend.
    void buildColourActions(QMenu& view);
    void refreshColourActions();
    void showColourLegend();
    /// Shows only the boxes of a colour, or all if that filter is active.
    void toggleColourFilter(ColourNumber colour);
    void reportLatency(const Result<LatencyReport>& result);

    // main_window_settings.cpp: settings for all models, and options of this one.
    void buildOptionActions(QMenu* model);
    void refreshOptionActions();
    void askSettings();
    void takePreferences();
    void stackPanes(bool stacked);
    void setFlow(Flow flow);
    void showEdgeShapes(bool shown);

    // main_window_tabs.cpp: other tabs and windows.
    void addTabCommand(QMenu* menu, const char* name, const QString& text, const QKeySequence& shortcut,
                       std::function<void(TabbedWindow&)> run);
    void showFloatingDocks();
    void openAnother(const QString& path, const QString& weights = {});
    void closeModel();
    void leave();

    // main_window_inputs.cpp: the effects of editing the inputs.
    void reportEditedInputs();

    // main_window_verify.cpp: verification and its results.
    void askVerify();
    void verifyAgainst(const std::filesystem::path& data);
    void verifyEquivalence();
    /// Whether a check can run; otherwise shows the reason.
    bool canVerify();
    void reportVerified(const Result<NodeCheck>& result);
    void reportVerificationFailed(const Diagnostic& problem);
    void explainRuntime(const Diagnostic& problem);
    void askRuntime();
    void restoreRuntime();

    // main_window_compare.cpp: two models side by side.
    void buildCompareActions(QMenu& file);
    void buildDifferenceActions(QMenu& model);
    void refreshCompareActions();
    void askCompare();
    void showChanges();
    void stepDifference(int direction);

    // main_window_edits.cpp: changes of a model besides its shapes.
    void buildEditActions(QMenu& model);
    void refreshEditActions();
    void askNames();
    /// The nodes of the source that are selected, or that the selected nodes of the export come from.
    std::vector<NodeId> selectedSourceNodes() const;
    void cutOutSelection();
    void makeSelectionOutput();
    void reportConversionFailed(const Diagnostic& problem);

    std::unique_ptr<QSettings> m_settings;
    Preferences m_preferences;
    TabbedWindow* m_tabs = nullptr;
    Document m_document;
    RecentFiles m_recent;
    GraphNavigation* m_navigation = nullptr;
    JobRunner* m_copying = nullptr; ///< paints pictures for the clipboard
    QMenu* m_bookmarkMenu = nullptr;
    std::array<ColourLegend*, 2> m_colourLegends{}; ///< by side; the first visible pane shows it
    bool m_categoriesExplained = false;             ///< whether the legend of the categories is shown
    QHash<QString, QAction*> m_actions;
    QActionGroup* m_opsets = nullptr;
    QMenu* m_recentMenu = nullptr;

    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    QScrollArea* m_startArea = nullptr;
    Banner* m_banner = nullptr;
    Toast* m_toast = nullptr;
    DropFrame* m_dropFrame = nullptr;
    QSplitter* m_splitter = nullptr;
    PaneSwitch* m_paneSwitch = nullptr;
    GraphPane* m_sourcePane = nullptr;
    GraphPane* m_targetPane = nullptr;
    Side m_activeSide = Side::Source;
    std::optional<ModelView> m_viewToRestore; ///< applied after the conversion
    QFileSystemWatcher* m_watcher = nullptr;
    bool m_following = false;
    std::vector<Diagnostic> m_problemsBefore; ///< of the previous conversion
    std::filesystem::path m_data;             ///< recorded tensors that the user chose last
    bool m_newlyOpened = false;
    std::filesystem::path m_comparedWith; ///< the model on the right in a comparison
    /// The part of the source shown on the right, and the outputs chosen for it.
    std::pair<std::optional<ModelPart>, std::vector<std::string>> m_partShown;
    QString m_pendingMessage; ///< shown when the running conversion finishes
    struct LegendFilter {
        int entry;
        std::array<std::vector<std::uint32_t>, 2> boxes; ///< by side: the boxes that pass the filter
    };
    std::optional<LegendFilter> m_filter;
    enum class WhenFolded : std::uint8_t { Nothing, Reveal, Jump };
    std::array<WhenFolded, 2> m_revealWhenFolded{}; ///< by side: what to do when the selection's groups are open

    OutlinePanel* m_outline = nullptr;
    PropertiesPanel* m_properties = nullptr;
    ProblemsPanel* m_problems = nullptr;
    InputsPanel* m_inputs = nullptr;
    DetailsView* m_summary = nullptr;
    TensorPanel* m_tensor = nullptr;
    LayersPanel* m_layers = nullptr;
    QMap<QString, QDockWidget*> m_docks; ///< ordered: the order of restoring determines their sizes
    QList<QDockWidget*> m_floatingDocks; ///< hidden while another tab is in front
    QByteArray
        m_layout; ///< of the docks, applied when a model opens: in a window without a size it would have no effect
    BottomArea* m_bottom = nullptr;
    QByteArray m_beforeMaximizing; ///< the layout of the docks; empty if the graph is not maximized
    bool m_workspaceShown = false;
    bool m_edgeShapesShown = true;
    CommandPalette* m_palette = nullptr;
    QMenuBar* m_menus = nullptr;
    QToolBar* m_tools = nullptr;

    QToolButton* m_exportButton = nullptr;
    DragHandle* m_dragHandle = nullptr;               ///< the title of the ONNX pane
    bool m_copiesExport = false;                      ///< copy the export instead of dragging it
    std::weak_ptr<const ConvertedModel> m_exportedOf; ///< the conversion that was exported to m_exported
    QStringList m_exported;
    std::unique_ptr<QTemporaryDir> m_staging;
    QToolButton* m_zoomLabel = nullptr;
    QLabel* m_message = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_verdicts = nullptr;
    QLabel* m_timing = nullptr;
    QLabel* m_checked = nullptr;
    QWidget* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progressBar = nullptr;
    QTimer* m_progressDelay = nullptr;
    QTimer* m_progressPoll = nullptr; ///< runs while a job is running
};

} // namespace crosswalk::ui
